"""One model run in two ways, by transformers and by llama.cpp, position by position over the same token ids."""

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


class ReferenceModel:
    """The model as transformers runs it, in float32; `adapter` is laid over it by peft."""

    def __init__(self, folder: Path, adapter: Path | None = None) -> None:
        self.chat = chat_tokenizer(folder)
        try:
            network = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
            if adapter is not None:
                from peft import PeftModel  # it loads bitsandbytes, which takes a second

                network = PeftModel.from_pretrained(network, adapter, local_files_only=True)
        except Exception as error:  # OSError, ValueError, SafetensorError, KeyError: the folder is not a model
            raise ModelFileError(f"{adapter or folder}: cannot be loaded as a model ({error})") from error
        self._network: Any = network.eval()
        self.size = int(network.config.vocab_size)

    def compute_logits(self, ids: Sequence[int]) -> Iterator[Logits]:
        """Behind each id, in pieces (at most BATCH, vocabulary)."""
        cache = DynamicCache(config=self._network.config)
        with torch.inference_mode():
            for start in range(0, len(ids), BATCH):
                given = torch.tensor([list(ids[start : start + BATCH])])
                yield self._network(given, past_key_values=cache, use_cache=True).logits[0].float().numpy()


class ExportedModel:
    """The model as llama.cpp runs it, with a LoRA adapter as GGUF over it if there is one."""

    def __init__(self, path: Path, lora: Path | None, context: int, threads: int) -> None:
        file = GgufFile(path)
        self.chat, self.size = file.chat(), file.size
        self._context = LlamaContext(file, context, 1, threads, lora, BATCH)

    def compute_logits(self, ids: Sequence[int]) -> Iterator[Logits]:
        """Behind each id, in pieces (at most BATCH, vocabulary), which hold until the next is asked for."""
        self._context.trim(0, 0)
        for start in range(0, len(ids), BATCH):
            some = enumerate(ids[start : start + BATCH], start=start)
            pieces = [BatchPart(0, at, np.array([token], dtype=np.int32), True) for at, token in some]
            yield np.stack([one for one in self._context.decode(pieces) if one is not None])


@dataclass(slots=True)
class LogitAgreement:
    """Sums over what was compared so far."""

    rows: int = 0
    """Conversations."""
    same_ids: int = 0
    """Conversations that both tokenize alike."""
    positions: int = 0
    agree: int = 0
    """Positions at which both find the same token likeliest."""
    clear: int = 0
    """Positions at which the reference finds it likelier than the next by CLEAR."""
    clear_agree: int = 0
    written: int = 0
    """Positions before a token that the model wrote."""
    written_agree: int = 0
    largest: float = 0.0
    """Difference of two logits."""
    divergence: float = 0.0
    """Σ KL(reference ‖ exported) in nats."""
    reference_loss: float = 0.0
    """−Σ log p of what was written."""
    exported_loss: float = 0.0

    def add(self, following: Sequence[int | None], reference: Logits, exported: Logits) -> None:
        """Take in the logits (n, vocabulary) at n positions. following: the token there if the model wrote it."""
        same = reference.argmax(axis=1) == exported.argmax(axis=1)
        p, q = _log_softmax(reference), _log_softmax(exported)
        self.positions += len(same)
        self.agree += int(same.sum())
        best = np.partition(np.exp(p), -2, axis=1)[:, -2:]
        clear = best[:, 1] - best[:, 0] >= CLEAR
        self.clear += int(clear.sum())
        self.clear_agree += int((same & clear).sum())
        self.largest = max(self.largest, float(np.abs(reference - exported).max()))
        self.divergence += float((np.exp(p) * (p - q)).sum(dtype=np.float64))
        for place, token in enumerate(following):
            if token is not None:
                self.written += 1
                self.written_agree += int(same[place])
                self.reference_loss -= float(p[place, token])
                self.exported_loss -= float(q[place, token])


def compare_logits(
    reference: ReferenceModel, exported: ExportedModel, conversations: Iterable[Sequence[Message]]
) -> LogitAgreement:
    """Run all in both. Where the ids differ only that is counted: there is nothing to compare position by position."""
    if reference.size != exported.size:
        raise ModelFileError(f"the model has {reference.size} tokens, and the exported file {exported.size}")
    found = LogitAgreement()
    for messages in conversations:
        tokens = _label(messages, reference.chat)
        ids = [token for token, _ in tokens]
        found.rows += 1
        if ids != [token for token, _ in _label(messages, exported.chat)]:
            continue
        found.same_ids += 1
        following = [*(token if written else None for token, written in tokens[1:]), None]
        at = 0
        for one, other in zip(reference.compute_logits(ids), exported.compute_logits(ids), strict=True):
            found.add(following[at : at + len(one)], one, other)
            at += len(one)
    return found


def _label(messages: Sequence[Message], chat: ChatTokenizer) -> list[tuple[int, bool]]:
    """The ids of a conversation in the model's own chat format, and whether the model wrote each."""
    return [(token, written) for ids, written in chat.labelled(messages) for token in ids]


def _log_softmax(logits: Logits) -> Logits:
    shifted = logits - logits.max(axis=1, keepdims=True)
    scaled: Logits = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True, dtype=np.float64)).astype(np.float32)
    return scaled
