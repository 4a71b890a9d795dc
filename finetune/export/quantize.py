"""Fewer bits for each weight, by llama.cpp's own code."""

import ctypes
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import gguf

from finetune.settings import Quantization
from scribe.errors import ModelFileError
from scribe.gguf import file as gguf_file
from scribe.gguf.native import llama_cpp
from scribe.plumbing.files import replace_file

_TYPES = {"q8_0": llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0, "q4_k_m": llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M}
_WANTED = {"f16": {"F16"}, "q8_0": {"Q8_0"}, "q4_k_m": {"Q4_K", "Q6_K"}}
"""How matrices are stored when nothing stands in the way; Q4_K_M keeps the more sensitive ones in Q6_K."""


@dataclass(frozen=True, slots=True)
class StoredMatrices:
    """How a file holds its matrices. fallen_back: how many whose rows the wanted blocks of 32 or 256 do not divide."""

    types: Mapping[str, int]
    fallen_back: int
    bytes: int


def quantize(source: Path, path: Path, quantization: Quantization, threads: int = 0) -> StoredMatrices:
    """Write the f16 model `source` to `path` in fewer bits, whole or not at all. threads: 0 for all.

    A K-quant needs rows of a multiple of 256; llama.cpp stores others in the nearest larger kind, which is counted.
    Raises ModelFileError with llama.cpp's reason.
    """
    settings = llama_cpp.llama_model_quantize_default_params()
    settings.ftype, settings.nthread = _TYPES[quantization], threads
    gguf_file.listen()
    gguf_file.forget()
    with replace_file(path) as partial:
        code = llama_cpp.llama_model_quantize(str(source).encode(), str(partial).encode(), ctypes.byref(settings))
        if code:
            raise ModelFileError(f"{source}: cannot be quantized as {quantization} ({gguf_file.heard(f'code {code}')})")
    return read_matrices(path, quantization)


def read_matrices(path: Path, quantization: Quantization) -> StoredMatrices:
    """How a GGUF file holds its matrices. Raises ModelFileError for a file that is none."""
    try:
        tensors = gguf.GGUFReader(path).tensors
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not a readable GGUF file ({error})") from error
    types = Counter(tensor.tensor_type.name for tensor in tensors if len(tensor.shape) > 1)
    others = sum(count for kind, count in types.items() if kind not in _WANTED[quantization])
    return StoredMatrices(dict(types), others, path.stat().st_size)
