"""A GGUF file with one sequence of tokens, one prompt at a time: what the engine is measured against."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scribe.decoding.generation import Logits
from scribe.gguf.context import BatchPart, LlamaContext
from scribe.gguf.file import BATCH, GgufFile


class GgufModel:
    """The file as `scribe.decoding.single_sequence.Model`: one context, one sequence.

    context: tokens, at most what the model was trained for. Raises ModelFileError for a file that is none.
    """

    def __init__(self, path: Path, context: int, threads: int) -> None:
        file = GgufFile(path)
        self.context = min(context, file.trained_context)
        self.vocabulary = file.vocabulary
        self.chat = file.chat()
        self._context = LlamaContext(file, self.context, 1, threads)

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache.

        Raises BackendError with llama.cpp's reason.
        """
        self._context.trim(0, keep)
        for part in np.array_split(np.array(ids, np.int32), math.ceil(len(ids) / BATCH)):
            (rows,) = self._context.decode([BatchPart(0, keep, part, 1)])
            keep += len(part)
        logits: Logits = rows[0].copy()
        return logits
