"""A GGUF file with one sequence of tokens in its cache, one prompt at a time: what the engine is measured against."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scribe.backends import gguf_file
from scribe.backends.gguf_file import BATCH, GgufFile
from scribe.backends.native import llama_cpp
from scribe.backends.writing import Logits
from scribe.errors import BackendError


class GgufModel:
    """The file as `scribe.backends.decoding.Model`: one context, one sequence.

    context: tokens, at most what the model was trained for. Raises ModelFileError for a file that is none.
    """

    def __init__(self, path: Path, context: int, threads: int) -> None:
        self._file = GgufFile(path)
        self.context = min(context, self._file.trained_context)
        self.vocabulary = self._file.vocabulary
        self.chat = self._file.chat()
        self._context = self._file.open(self, self.context, threads)

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache.

        Raises BackendError with llama.cpp's reason.
        """
        gguf_file.forget()
        if not llama_cpp.llama_memory_seq_rm(llama_cpp.llama_get_memory(self._context), 0, keep, -1):
            raise BackendError(f"llama.cpp cannot keep just {keep} tokens of this model's cache")
        for start in range(0, len(ids), BATCH):
            piece = ids[start : start + BATCH]
            tokens = (llama_cpp.llama_token * len(piece))(*piece)
            code = llama_cpp.llama_decode(self._context, llama_cpp.llama_batch_get_one(tokens, len(piece)))
            if code:
                raise BackendError(f"llama.cpp could not evaluate {len(ids)} tokens: {gguf_file.heard(f'code {code}')}")
        last = llama_cpp.llama_get_logits_ith(self._context, -1)
        if not last:
            raise BackendError(f"llama.cpp gave nothing for {len(ids)} tokens: {gguf_file.heard('no reason given')}")
        return np.array(np.ctypeslib.as_array(last, shape=(self._file.size,)), dtype=np.float32)
