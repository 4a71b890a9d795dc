"""The adapter that comes with Scribe into the base model's GGUF file: W + scale · B · A, matrix by matrix.

It needs numpy and the package gguf, no torch, and memory for one matrix at a time.
"""

from pathlib import Path
from typing import Any, Literal

import gguf
import numpy as np
from numpy.typing import NDArray

from data.pretrained.adapter import Adapter
from data.pretrained.layers import LINEAR, Weights, to_pairs
from scribe.errors import ModelFileError, UsageError
from scribe.plumbing.progress import OnProgress

Precision = Literal["q8_0", "q4_1", "q4_0", "f16"]
MERGING = 1
"""To be raised when the file that is written changes, so that no older one is taken for it."""
_TYPES = {
    "q8_0": (gguf.GGMLQuantizationType.Q8_0, gguf.LlamaFileType.MOSTLY_Q8_0),
    "q4_1": (gguf.GGMLQuantizationType.Q4_1, gguf.LlamaFileType.MOSTLY_Q4_1),
    "q4_0": (gguf.GGMLQuantizationType.Q4_0, gguf.LlamaFileType.MOSTLY_Q4_0),
    "f16": (gguf.GGMLQuantizationType.F16, gguf.LlamaFileType.MOSTLY_F16),
}
_WRITTEN_ANEW = ("general.architecture", "general.file_type")


def merge_gguf(base: Path, adapter: Adapter | None, path: Path, precision: Precision, tell: OnProgress) -> None:
    """Write the base with the adapter in it to `path`. Embeddings and norms stay as they are stored.

    precision: how the layers' matrices are stored.
    Raises UsageError for an adapter that does not fit, ModelFileError for one that gives what is no number.
    """
    reader = gguf.GGUFReader(base)
    kind, file_type = _TYPES[precision]
    updates = _Updates(reader, adapter)
    writer = gguf.GGUFWriter(path, reader.fields["general.architecture"].contents())
    try:
        _copy_fields(reader, writer)
        writer.add_file_type(file_type)
        for tensor in reader.tensors:
            _announce(writer, tensor, kind if _is_matrix(tensor) else tensor.tensor_type)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        for done, tensor in enumerate(reader.tensors, start=1):
            writer.write_tensor_data(_merge(tensor, updates, kind) if _is_matrix(tensor) else tensor.data)
            tell("preparing the model", done, len(reader.tensors))
    finally:
        writer.close()


class _Updates:
    """What the adapter adds to each matrix, by the matrix's name in GGUF and in its order of rows."""

    def __init__(self, reader: gguf.GGUFReader, adapter: Adapter | None) -> None:
        counts = {"attn_q": "head_count", "attn_k": "head_count_kv"}
        self._heads = {name: reader.fields[f"llama.attention.{key}"].contents() for name, key in counts.items()}
        self._adapter = adapter
        pairs = adapter.pairs.values() if adapter else ()
        self._pairs = {f"blk.{pair.layer}.{LINEAR[pair.module]}.weight": pair for pair in pairs}
        if adapter and (unknown := sorted(set(self._pairs) - {tensor.name for tensor in reader.tensors})):
            raise UsageError(f"{adapter.folder}: the base model has no {unknown[0]}")

    def find(self, name: str) -> Weights | None:
        """What is added to the matrix of this name: (outputs, inputs); None for nothing."""
        pair = self._pairs.get(name)
        if pair is None or self._adapter is None:
            return None
        update = self._adapter.delta(pair)
        heads = self._heads.get(name.split(".")[2])
        return to_pairs(update, heads) if heads else update


def _merge(tensor: Any, updates: _Updates, kind: gguf.GGMLQuantizationType) -> NDArray[Any]:
    """The matrix with its update, as it is stored."""
    weights, update = gguf.dequantize(tensor.data, tensor.tensor_type), updates.find(tensor.name)
    if update is not None:
        if update.shape != weights.shape:
            raise UsageError(f"{tensor.name} is {weights.shape} in the base model, and {update.shape} in the adapter")
        weights = weights + update
    if not np.isfinite(weights).all():
        raise ModelFileError(f"{tensor.name}: base and adapter together give what is no number")
    stored: NDArray[Any] = gguf.quantize(weights.astype(np.float32), kind)
    return stored


def _is_matrix(tensor: Any) -> bool:
    """Whether it is a matrix of a layer; the embeddings are none."""
    return len(tensor.shape) > 1 and tensor.name.startswith("blk.")


def _announce(writer: gguf.GGUFWriter, tensor: Any, kind: gguf.GGMLQuantizationType) -> None:
    """Enter a tensor in the file's list: its shape, and how many bytes it takes."""
    shape = tuple(int(size) for size in reversed(tensor.shape))
    if kind in (gguf.GGMLQuantizationType.F32, gguf.GGMLQuantizationType.F16):
        dtype = np.dtype(np.float32 if kind is gguf.GGMLQuantizationType.F32 else np.float16)
    else:
        shape, dtype = gguf.quant_shape_to_byte_shape(shape, kind), np.dtype(np.uint8)
    writer.add_tensor_info(tensor.name, shape, dtype, int(np.prod(shape)) * dtype.itemsize, kind)


def _copy_fields(reader: gguf.GGUFReader, writer: gguf.GGUFWriter) -> None:
    """Everything that the base says of itself, its tokenizer above all."""
    for field in reader.fields.values():
        if field.name not in _WRITTEN_ANEW and not field.name.startswith("GGUF."):
            array = field.types[0] is gguf.GGUFValueType.ARRAY
            writer.add_key_value(field.name, field.contents(), field.types[0], field.types[-1] if array else None)
