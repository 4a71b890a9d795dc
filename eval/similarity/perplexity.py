"""Perplexity of questions under a language model in the Hugging Face format: how fluent it finds them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from scribe.errors import ModelFileError

BATCH = 32


class Reader:
    """A model that only reads. Raises ModelFileError if the folder holds none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True).eval()
        except Exception as error:  # tokenizers raises bare Exception
            raise ModelFileError(f"{folder} holds no model in the Hugging Face format ({error})") from error
        first = self._model.config.bos_token_id
        if first is None:
            raise ModelFileError(f"{folder}/config.json names no bos_token_id, so a first word has nothing before it")
        self._first = int(first[0] if isinstance(first, list) else first)

    def perplexities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(N,): e to the mean negative log-probability (nats) of a text's tokens after the token that begins texts."""
        ids = [[self._first, *self._tokenizer.encode(text, add_special_tokens=False).ids] for text in texts]
        found = np.full(len(texts), np.nan)
        by_length = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        for start in range(0, len(by_length), BATCH):
            places = by_length[start : start + BATCH]
            found[places] = self._batch([ids[place] for place in places])
        return found

    @torch.inference_mode()
    def _batch(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float64]:
        longest = max(map(len, rows))
        ids = torch.tensor([[*row, *[self._first] * (longest - len(row))] for row in rows])
        there = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        logits = self._model(input_ids=ids, attention_mask=there).logits[:, :-1].double()
        said = torch.log_softmax(logits, dim=-1).gather(2, ids[:, 1:, None])[:, :, 0]
        counted = there[:, 1:].double()
        means = -(said * counted).sum(1) / counted.sum(1)
        return np.asarray(means.exp().numpy(), dtype=np.float64)
