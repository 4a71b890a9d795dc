"""GGUF models in this process, through llama-cpp-python."""

import ctypes
import os
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

import llama_cpp
import numpy as np
from llguidance.llamacpp import lltokenizer_from_vocab

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.decoding import Decoder, Logits, require_template
from scribe.backends.fingerprint import fingerprint
from scribe.errors import BackendError, ModelFileError
from scribe.messages import Message

BATCH = 256
"""Tokens per step through a prompt. llama-cpp-python allots BATCH x vocabulary floats for it."""

_complaints: deque[str] = deque(maxlen=4)
_ERROR_LEVEL = 4


def _hear(level: int, text: bytes, _: ctypes.c_void_p) -> None:
    if level == _ERROR_LEVEL:
        _complaints.append(text.decode("utf-8", "replace").strip())


_hearing = llama_cpp.llama_log_callback(_hear)  # llama.cpp holds only a pointer; this keeps it alive


class LlamaBackend:
    """A Llama-3-style GGUF model on the CPU. Raises ModelFileError for a file that is none.

    context: tokens of prompt and answer together, at most what the model was trained for.
    threads: CPU threads; all cores if not given.
    """

    def __init__(self, path: Path | str, context: int = 4096, threads: int | None = None) -> None:
        self._path = Path(path)
        model = GgufModel(self._path, context, threads or os.cpu_count() or 1)
        require_template(model, self._path.name)
        self._decoder = Decoder(model, lltokenizer_from_vocab(model.vocabulary))
        self._model = model

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "llama", "name": self._path.name, "sha256": fingerprint(self._path)}

    @property
    def context(self) -> int:
        """Tokens that fit."""
        return self._model.context

    def encode(self, text: str, special: bool) -> list[int]:
        """Token ids as `scribe.backends.template` wants them."""
        return self._model.encode(text, special)

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        return self._decoder.complete(prompt, sampling, constraint, on_text)


class GgufModel:
    """The file as `scribe.backends.decoding.Model`: one context, one sequence."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        self._llama = _load(path, context, threads)
        trained = llama_cpp.llama_model_n_ctx_train(self._llama.model)
        self.context = min(context, int(trained))
        self.vocabulary = llama_cpp.llama_model_get_vocab(self._llama.model)
        self._size = int(llama_cpp.llama_vocab_n_tokens(self.vocabulary))

    def encode(self, text: str, special: bool) -> list[int]:
        """Ids without a BOS token; `special` says whether control tokens are recognised."""
        ids: list[int] = self._llama.tokenize(text.encode(), add_bos=False, special=special) if text else []
        return ids

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache."""
        self._llama.n_tokens = keep  # `eval` drops from the cache what lies behind this
        try:
            self._llama.eval(ids)
        except RuntimeError as error:
            raise BackendError(f"llama.cpp could not evaluate {len(ids)} tokens: {error}") from error
        last = llama_cpp.llama_get_logits_ith(self._llama.ctx, -1)
        return np.array(np.ctypeslib.as_array(last, shape=(self._size,)), dtype=np.float32)


def _load(path: Path, context: int, threads: int) -> "llama_cpp.Llama":
    _check(path)
    llama_cpp.llama_log_set(_hearing, ctypes.c_void_p(0))
    _complaints.clear()
    try:
        return llama_cpp.Llama(
            str(path), n_ctx=context, n_batch=BATCH, n_threads=threads, n_threads_batch=threads, verbose=False
        )
    except ValueError as error:
        why = next(iter(_complaints), str(error))
        raise ModelFileError(f"{path}: cannot be loaded ({why}); copy or export it again") from error


def _check(path: Path) -> None:
    """What llama.cpp would say less clearly."""
    try:
        with path.open("rb") as file:
            begin = file.read(4)
    except OSError as error:
        raise ModelFileError(f"{path}: no readable model file ({error.strerror})") from error
    if begin != b"GGUF":
        raise ModelFileError(f"{path}: not a GGUF file, it does not begin with the letters GGUF")
