"""A GGUF file in memory, over llama.cpp's C interface: its weights, its vocabulary, contexts to run it in.

llama-cpp-python's own `Llama` class hides one switch that we need. With "extra buffers" llama.cpp repacks the
weights for the processor at hand. On an Intel Xeon with AMX that killed the process at the first evaluation of our
Q8_0 model (llama-cpp-python as pinned; others report the same of other models, ggml-org/llama.cpp#20824). So they are
left off on processors with AMX, where reading long prompts is slower for it, and stay on everywhere else.
"""

import ctypes
import os
import weakref
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

from scribe.decoding.chat import ChatTokenizer, open_chat
from scribe.gguf.native import llama_cpp
from scribe.plumbing.errors import BackendError, ModelFileError

BATCH = 256
"""The most tokens that one call of llama_decode takes."""
WEIGHTS_KEY, TRAINED_ON_KEY = "scribe.weights.sha256", "scribe.trained_on.sha256"
"""Where a model says which safetensors it was made from, and a LoRA adapter which it was trained on; ours do."""

_complaints: deque[str] = deque(maxlen=4)
_ERROR_LEVEL = 4


def _hear(level: int, text: bytes, _: ctypes.c_void_p) -> None:
    if level == _ERROR_LEVEL:
        _complaints.append(text.decode("utf-8", "replace").strip())


_hearing = llama_cpp.llama_log_callback(_hear)  # llama.cpp holds only a pointer; this keeps it alive


class GgufFile:
    """The weights and the vocabulary. Raises ModelFileError for a file that is none.

    `trained_context`: tokens that the model was trained for. `size`: of the vocabulary.
    """

    def __init__(self, path: Path) -> None:
        self.model = _load(path)
        self._name = path.name
        # Not freed when Python exits: a daemon thread of the chat page may still be computing with it then.
        weakref.finalize(self, llama_cpp.llama_model_free, self.model).atexit = False
        self.trained_context = int(llama_cpp.llama_model_n_ctx_train(self.model))
        self.vocabulary = llama_cpp.llama_model_get_vocab(self.model)
        self.size = int(llama_cpp.llama_vocab_n_tokens(self.vocabulary))

    def encode(self, text: str, special: bool) -> list[int]:
        """Ids without a BOS token; `special` says whether control tokens are recognised. Any thread may call it."""
        data = text.encode()
        room = len(data) + 1  # a token stands for one byte at least
        ids = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self.vocabulary, data, len(data), ids, room, False, special)
        if count < 0:
            raise BackendError(f"llama.cpp could not tokenize a text of {len(data)} bytes")
        return list(ids[:count])

    def chat(self) -> ChatTokenizer:
        """Its tokenizer with the chat format that the file names. Raises ModelFileError if that is not known here."""
        template = llama_cpp.llama_model_chat_template(self.model, None)
        return open_chat(template.decode("utf-8", "replace") if template else None, self.encode, self._name)

    def open(self, owner: object, length: int, threads: int, sequences: int, outputs: int) -> Any:
        """The handle of a context for sequences of `length` tokens each; it is freed with `owner`.

        outputs: rows of logits that one step may give besides one a sequence. Raises BackendError if there is not
        enough memory.
        """
        _complaints.clear()
        context = llama_cpp.llama_init_from_model(self.model, _settings(length, threads, sequences, outputs))
        if not context:
            why = heard("not enough memory?")
            raise BackendError(
                f"llama.cpp cannot keep {sequences} × {length} tokens ({why}); set a smaller context or fewer at once"
            )
        # The file is an argument so that it outlives the context, in whatever order the two are let go.
        weakref.finalize(owner, _free, context, self).atexit = False
        return context


def said(read: Any, owner: Any, key: str) -> str:
    """What a model's or an adapter's file says under a key, read by llama.cpp's function for it; empty if nothing."""
    text = ctypes.create_string_buffer(256)
    return text.value.decode("utf-8", "replace") if read(owner, key.encode(), text, len(text)) >= 0 else ""


def listen() -> None:
    """Let llama.cpp tell us its complaints, not the terminal its progress."""
    llama_cpp.llama_log_set(_hearing, ctypes.c_void_p(0))


def forget() -> None:
    """Forget what llama.cpp complained of before."""
    _complaints.clear()


def heard(otherwise: str) -> str:
    """The first thing that llama.cpp complained of since `forget`."""
    return next(iter(_complaints), otherwise)


def _free(context: Any, file: GgufFile) -> None:
    llama_cpp.llama_free(context)


def _settings(length: int, threads: int, sequences: int, outputs: int) -> Any:
    settings = llama_cpp.llama_context_default_params()
    settings.n_ctx = length * sequences
    settings.n_batch = settings.n_ubatch = BATCH
    settings.n_seq_max = sequences
    settings.n_outputs_max = sequences + outputs  # llama.cpp keeps room for them
    settings.kv_unified = False  # see `scribe.gguf.context`
    settings.n_threads = settings.n_threads_batch = threads
    settings.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
    return settings


def _load(path: Path) -> Any:
    """The model's handle."""
    _check(path)
    listen()
    llama_cpp.llama_backend_init()
    _complaints.clear()
    settings = llama_cpp.llama_model_default_params()
    settings.n_gpu_layers = 0
    settings.use_extra_bufts = not has_amx()
    # Read, not mapped: whoever wrote another model over a mapped file would end this process (SIGBUS).
    settings.load_mode = llama_cpp.LLAMA_LOAD_MODE_NONE
    model = llama_cpp.llama_model_load_from_file(os.fsencode(path), settings)
    if not model:
        why = heard("llama.cpp does not say why")
        scarce = any(word in why for word in ("alloc", "memory"))
        remedy = "free memory, or take a smaller model" if scarce else "copy or export it again"
        raise ModelFileError(f"{path}: cannot be loaded ({why}); {remedy}")
    return model


@cache
def has_amx(info: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor has AMX, with which llama.cpp must not use its extra buffers."""
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
