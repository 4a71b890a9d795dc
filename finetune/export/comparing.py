"""Two ways of running one model, position by position over the same token ids."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForCausalLM, DynamicCache

from scribe.backends.hf import chat_tokenizer
from scribe.decoding.chat import ChatTokenizer
from scribe.errors import ModelFileError
from scribe.gguf.context import BatchPart, LlamaContext
from scribe.gguf.file import BATCH, GgufFile
from scribe.messages import Message

Logits = NDArray[np.float32]
CLEAR = 0.1
"""By how much one token must be more probable than any other for rounding not to be an excuse."""


@dataclass(frozen=True, slots=True)
class Row:
    """A conversation as ids (T,), and which of them the model wrote (T,)."""

    ids: Sequence[int]
    written: Sequence[bool]


def row(messages: Sequence[Message], chat: ChatTokenizer) -> Row:
    """A conversation in the model's own chat format."""
    pieces = [(token, written) for ids, written in chat.labelled(messages) for token in ids]
    return Row([token for token, _ in pieces], [written for _, written in pieces])


class Reference:
    """The model as transformers runs it, in float32; `adapter` is laid over it by peft."""

    def __init__(self, folder: Path, adapter: Path | None = None, device: str = "cpu") -> None:
        self.chat = chat_tokenizer(folder)
        try:
            network = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
            if adapter is not None:
                from peft import PeftModel  # it loads bitsandbytes, which takes a second

                network = PeftModel.from_pretrained(network, adapter, local_files_only=True)
        except Exception as error:  # OSError, ValueError, SafetensorError, KeyError: the folder is not a model
            raise ModelFileError(f"{adapter or folder}: cannot be loaded as a model ({error})") from error
        self._network: Any = network.to(device).eval()
        self.size = int(network.config.vocab_size)

    def logits(self, ids: Sequence[int]) -> Iterator[Logits]:
        """Behind each id, in pieces (at most BATCH, vocabulary)."""
        cache = DynamicCache(config=self._network.config)
        with torch.inference_mode():
            for start in range(0, len(ids), BATCH):
                given = torch.tensor([list(ids[start : start + BATCH])], device=self._network.device)
                yield self._network(given, past_key_values=cache, use_cache=True).logits[0].float().cpu().numpy()


class Exported:
    """The model as llama.cpp runs it, with a LoRA adapter as GGUF over it if there is one."""

    def __init__(self, path: Path, lora: Path | None, longest: int, threads: int) -> None:
        file = GgufFile(path)
        self.chat, self.size = file.chat(), file.size
        self._context = LlamaContext(file, longest, 1, threads, lora, BATCH)

    def logits(self, ids: Sequence[int]) -> Iterator[Logits]:
        """Behind each id, in pieces (at most BATCH, vocabulary), which hold until the next is asked for."""
        self._context.trim(0, 0)
        for start in range(0, len(ids), BATCH):
            some = enumerate(ids[start : start + BATCH], start=start)
            pieces = [BatchPart(0, at, np.array([token], dtype=np.int32), True) for at, token in some]
            yield np.stack([one for one in self._context.decode(pieces) if one is not None])


@dataclass(slots=True)
class Agreement:
    """Sums over what was compared so far.

    same_ids: conversations that both tokenize alike. agree: positions at which both find the same token likeliest;
    clear: positions at which the reference finds it likelier than the next by CLEAR, and clear_agree the same of
    those; written: positions before a token that the model wrote, and written_agree. largest: difference of two
    logits. divergence: Σ KL(reference ‖ exported) in nats. losses: −Σ log p of what was written, of each.
    """

    rows: int = 0
    same_ids: int = 0
    positions: int = 0
    agree: int = 0
    clear: int = 0
    clear_agree: int = 0
    written: int = 0
    written_agree: int = 0
    largest: float = 0.0
    divergence: float = 0.0
    reference_loss: float = 0.0
    exported_loss: float = 0.0

    def add(self, row: Row, at: int, reference: Logits, exported: Logits) -> None:
        """Take in the logits (n, vocabulary) behind the ids from place `at` on."""
        same = reference.argmax(axis=1) == exported.argmax(axis=1)
        p, q = (_log_softmax(logits) for logits in (reference, exported))
        self.positions += len(same)
        self.agree += int(same.sum())
        best = np.partition(np.exp(p), -2, axis=1)[:, -2:]
        clear = best[:, 1] - best[:, 0] >= CLEAR
        self.clear += int(clear.sum())
        self.clear_agree += int((same & clear).sum())
        self.largest = max(self.largest, float(np.abs(reference - exported).max()))
        self.divergence += float((np.exp(p) * (p - q)).sum(dtype=np.float64))
        for place in range(len(same)):
            following = at + place + 1
            if following < len(row.ids) and row.written[following]:
                token = row.ids[following]
                self.written += 1
                self.written_agree += int(same[place])
                self.reference_loss -= float(p[place, token])
                self.exported_loss -= float(q[place, token])


def compare(reference: Reference, exported: Exported, conversations: Iterable[Sequence[Message]]) -> Agreement:
    """Run all in both. Where the ids differ only that is counted: there is nothing to compare position by position."""
    if reference.size != exported.size:
        raise ModelFileError(f"the model has {reference.size} tokens, and the exported file {exported.size}")
    found = Agreement()
    for messages in conversations:
        wanted = row(messages, reference.chat)
        found.rows += 1
        if list(wanted.ids) != list(row(messages, exported.chat).ids):
            continue
        found.same_ids += 1
        at = 0
        for one, other in zip(reference.logits(wanted.ids), exported.logits(wanted.ids), strict=True):
            found.add(wanted, at, one, other)
            at += len(one)
    return found


def _log_softmax(logits: Logits) -> Logits:
    shifted = logits - logits.max(axis=1, keepdims=True)
    scaled: Logits = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True, dtype=np.float64)).astype(np.float32)
    return scaled
