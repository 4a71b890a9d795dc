"""Files of questions, as far as this comparison reads them, and how fluent a language model finds each."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import StringConstraints, TypeAdapter
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from eval.lines import parse_lines
from scribe.plumbing.errors import ModelFileError, UsageError

BATCH = 32
Text = Annotated[str, StringConstraints(pattern=r"\S")]


@dataclass(frozen=True, slots=True)
class SourceQuestion:
    """One question, the course it is about and the kind of feedback it is after."""

    course: Text
    category: Text
    question: Text


_QUESTION = TypeAdapter(SourceQuestion)


def read_questions(path: Path) -> list[SourceQuestion]:
    """Read a JSON lines file. Raises RecordError naming file and line, UsageError if there are no questions."""
    found = [question for _, question in parse_lines(path, _QUESTION)]
    if not found:
        raise UsageError(f"{path} holds no question")
    return found


def read_random_questions(path: Path | None = None) -> list[str]:
    """Read questions that have nothing to do with any course, one a line; ours by default. Raises UsageError."""
    if path is not None and not path.is_file():
        raise UsageError(f"there is no file {path} of random questions")
    source = path or files(__package__).joinpath("random.txt")
    lines = [line.strip() for line in source.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


class PerplexityModel:
    """A language model in the Hugging Face format that only reads. Raises ModelFileError if the folder holds none."""

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
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        logits = self._model(input_ids=ids, attention_mask=mask).logits[:, :-1].double()
        logprobs = torch.log_softmax(logits, dim=-1).gather(2, ids[:, 1:, None])[:, :, 0]
        counted = mask[:, 1:].double()
        means = -(logprobs * counted).sum(1) / counted.sum(1)
        return np.asarray(means.exp().numpy(), dtype=np.float64)
