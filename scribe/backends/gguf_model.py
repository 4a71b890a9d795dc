"""A GGUF file in memory and one sequence of tokens in its cache, over llama.cpp's C interface.

llama-cpp-python's own `Llama` class hides one switch that we need. With "extra buffers" llama.cpp repacks the
weights for the processor at hand. On an Intel Xeon with AMX that killed the process at the first evaluation of our
Q8_0 model (llama-cpp-python as pinned; others report the same of other models, ggml-org/llama.cpp#20824). So they are
left off on processors with AMX, where reading long prompts is slower for it, and stay on everywhere else.
"""

import ctypes
import os
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llama_cpp
import numpy as np

from scribe.backends.decoding import Logits
from scribe.errors import BackendError, ModelFileError

BATCH = 256
"""Tokens per step through a prompt."""

_complaints: deque[str] = deque(maxlen=4)
_ERROR_LEVEL = 4


def _hear(level: int, text: bytes, _: ctypes.c_void_p) -> None:
    if level == _ERROR_LEVEL:
        _complaints.append(text.decode("utf-8", "replace").strip())


_hearing = llama_cpp.llama_log_callback(_hear)  # llama.cpp holds only a pointer; this keeps it alive


class GgufModel:
    """The file as `scribe.backends.decoding.Model`: one context, one sequence.

    context: tokens, at most what the model was trained for. Raises ModelFileError for a file that is none.
    """

    def __init__(self, path: Path, context: int, threads: int) -> None:
        model = _load(path)
        self._freed_with_it(llama_cpp.llama_model_free, model)
        self.context = min(context, int(llama_cpp.llama_model_n_ctx_train(model)))
        self.vocabulary = llama_cpp.llama_model_get_vocab(model)
        self._size = int(llama_cpp.llama_vocab_n_tokens(self.vocabulary))
        self._context = _context(model, self.context, threads)
        # Finalizers run last first, so the context goes before the model that it needs.
        self._freed_with_it(llama_cpp.llama_free, self._context)

    def _freed_with_it(self, free: Callable[[Any], object], handle: Any) -> None:
        # Not when Python exits: a daemon thread of the chat page may still be computing with it then.
        weakref.finalize(self, free, handle).atexit = False

    def encode(self, text: str, special: bool) -> list[int]:
        """Ids without a BOS token; `special` says whether control tokens are recognised."""
        data = text.encode()
        room = len(data) + 1  # a token stands for one byte at least
        ids = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self.vocabulary, data, len(data), ids, room, False, special)
        if count < 0:
            raise BackendError(f"llama.cpp could not tokenize a text of {len(data)} bytes")
        return list(ids[:count])

    def evaluate(self, keep: int, ids: Sequence[int]) -> Logits:
        """Logits (vocabulary,) behind `ids`, which follow the first `keep` tokens of the cache.

        Raises BackendError with llama.cpp's reason.
        """
        _complaints.clear()
        if not llama_cpp.llama_memory_seq_rm(llama_cpp.llama_get_memory(self._context), 0, keep, -1):
            raise BackendError(f"llama.cpp cannot keep just {keep} tokens of this model's cache")
        for start in range(0, len(ids), BATCH):
            piece = ids[start : start + BATCH]
            tokens = (llama_cpp.llama_token * len(piece))(*piece)
            code = llama_cpp.llama_decode(self._context, llama_cpp.llama_batch_get_one(tokens, len(piece)))
            if code:
                raise BackendError(f"llama.cpp could not evaluate {len(ids)} tokens: {_why(f'code {code}')}")
        last = llama_cpp.llama_get_logits_ith(self._context, -1)
        if not last:
            raise BackendError(f"llama.cpp gave nothing for {len(ids)} tokens: {_why('it does not say why')}")
        return np.array(np.ctypeslib.as_array(last, shape=(self._size,)), dtype=np.float32)


def _load(path: Path) -> Any:
    """The model's handle."""
    _check(path)
    llama_cpp.llama_log_set(_hearing, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    _complaints.clear()
    settings = llama_cpp.llama_model_default_params()
    settings.n_gpu_layers = 0
    settings.use_extra_bufts = not _has_amx()
    model = llama_cpp.llama_model_load_from_file(os.fsencode(path), settings)
    if not model:
        why = _why("llama.cpp does not say why")
        raise ModelFileError(f"{path}: cannot be loaded ({why}); copy or export it again")
    return model


def _context(model: Any, size: int, threads: int) -> Any:
    """The handle of a context for one sequence."""
    settings = llama_cpp.llama_context_default_params()
    settings.n_ctx = size
    settings.n_batch = settings.n_ubatch = BATCH
    settings.n_threads = settings.n_threads_batch = threads
    settings.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
    context = llama_cpp.llama_init_from_model(model, settings)
    if not context:
        why = _why("not enough memory?")
        raise BackendError(f"llama.cpp cannot keep {size} tokens ({why}); set a smaller context")
    return context


def _why(otherwise: str) -> str:
    """The first thing that llama.cpp complained of since this began."""
    return next(iter(_complaints), otherwise)


@cache
def _has_amx(info: Path = Path("/proc/cpuinfo")) -> bool:
    try:
        return " amx_int8" in info.read_text(encoding="utf-8")
    except OSError:
        return False


def _check(path: Path) -> None:
    """What llama.cpp would say less clearly."""
    try:
        with path.open("rb") as file:
            begin = file.read(4)
    except OSError as error:
        raise ModelFileError(f"{path}: no readable model file ({error.strerror})") from error
    if begin != b"GGUF":
        raise ModelFileError(f"{path}: not a GGUF file, it does not begin with the letters GGUF")
