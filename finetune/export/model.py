"""A Llama in the Hugging Face format to one GGUF file for llama.cpp."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from numpy.typing import NDArray

from data.pretrained.layers import Weights, to_pairs
from finetune.export.llama import Llama, read_llama
from finetune.export.quantizing import Quantization, quantize
from finetune.export.reading import Tensors
from finetune.export.tensors import Tensor, rope_divisors, tensors
from finetune.export.tokens import add_tokenizer, read_tokenizer
from finetune.weights import hash_weights
from finetune.whole import PARTIAL, written
from scribe.backends.hf import chat_template
from scribe.errors import ModelFileError, UsageError
from scribe.gguf.file import WEIGHTS_KEY

_F32, _F16, _Q8 = map(gguf.GGMLQuantizationType.__getitem__, ("F32", "F16", "Q8_0"))
_LARGEST_HALF = 65504.0
_NEEDLESS = (".rotary_emb.inv_freq", ".rotary_emb.cos_cached", ".rotary_emb.sin_cached")
"""Ends of the names of tensors that some folders hold and that follow from the configuration."""


def export_gguf(folder: Path | str, path: Path | str, quantization: Quantization = "f16") -> Path:
    """Write the model of `folder` to `path` and return it; matrices as `quantization` says, vectors as float32.

    The file appears whole or not at all. Raises ModelFileError if a file is missing or holds what is no number,
    UsageError for a model that is not of our kind.
    """
    folder, path = Path(folder), Path(path)
    if quantization == "q4_k_m":
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL) as beside:
            half = Path(beside) / "half.gguf"
            _write(folder, half, path.stem, "f16")
            quantize(half, path, quantization)
        return path
    with written(path) as partial:
        _write(folder, partial, path.stem, quantization)
    return path


def _write(folder: Path, path: Path, name: str, quantization: Quantization) -> None:
    llama, source = read_llama(folder), Tensors.of_model(folder)
    tokenizer, kind = read_tokenizer(folder, llama.vocabulary)
    _refuse_others(llama, source, folder)
    writer = gguf.GGUFWriter(path, "llama")
    try:
        _describe(writer, llama, quantization, name)
        writer.add_string(WEIGHTS_KEY, hash_weights(folder))
        add_tokenizer(writer, tokenizer, kind, llama.vocabulary, chat_template(folder))
        _write_tensors(writer, llama, source, quantization)
    finally:
        writer.close()


def _refuse_others(llama: Llama, source: Tensors, folder: Path) -> None:
    """Refuse tensors that would be left out: biases, an adapter's, more layers than the configuration says."""
    known = {tensor.source for tensor in tensors(llama)} | {"lm_head.weight"}
    others = sorted(name for name in source.names - known if not name.endswith(_NEEDLESS))
    if others:
        raise UsageError(f"{folder}: {', '.join(others[:3])} (of {len(others)}) would be left out; no plain Llama")


def _describe(writer: gguf.GGUFWriter, llama: Llama, quantization: Quantization, name: str) -> None:
    writer.add_name(name)
    writer.add_context_length(llama.context)
    writer.add_embedding_length(llama.width)
    writer.add_block_count(llama.layers)
    writer.add_feed_forward_length(llama.inner)
    writer.add_head_count(llama.heads)
    writer.add_head_count_kv(llama.kv_heads)
    writer.add_key_length(llama.head)
    writer.add_value_length(llama.head)
    writer.add_layer_norm_rms_eps(llama.epsilon)
    writer.add_rope_dimension_count(llama.head)
    writer.add_rope_freq_base(llama.theta)
    writer.add_vocab_size(llama.vocabulary)
    kind = gguf.LlamaFileType.MOSTLY_Q8_0 if quantization == "q8_0" else gguf.LlamaFileType.MOSTLY_F16
    writer.add_file_type(kind)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def _write_tensors(writer: gguf.GGUFWriter, llama: Llama, source: Tensors, quantization: Quantization) -> None:
    """The list of tensors first, then their data one by one, so that memory holds only one at a time."""
    for tensor in tensors(llama):
        shape = source.shape(tensor.source)
        kind = _kind(shape, quantization)
        stored = gguf.quants.quant_shape_to_byte_shape(shape, kind) if kind is _Q8 else shape
        dtype = {_F32: np.float32, _F16: np.float16}.get(kind, np.uint8)
        size = int(np.prod(stored)) * np.dtype(dtype).itemsize
        writer.add_tensor_info(tensor.name, stored, np.dtype(dtype), size, raw_dtype=kind)
    for name, values in _computed(llama):
        writer.add_tensor_info(name, values.shape, values.dtype, values.nbytes)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in tensors(llama):
        weights = _load(source, tensor)
        writer.write_tensor_data(_packed(weights, _kind(weights.shape, quantization), tensor.source))
    for _, values in _computed(llama):
        writer.write_tensor_data(values)


def _computed(llama: Llama) -> Iterator[tuple[str, Weights]]:
    """Tensors that follow from the configuration."""
    if llama.scaling:
        yield "rope_freqs.weight", rope_divisors(llama.theta, llama.head, llama.scaling)


def _load(source: Tensors, tensor: Tensor) -> Weights:
    """The tensor as float32, its rows in llama.cpp's order."""
    weights: Weights = source.load(tensor.source).to(torch.float32).numpy()
    return to_pairs(weights, tensor.heads) if tensor.heads else weights


def _kind(shape: tuple[int, ...], quantization: Quantization) -> gguf.GGMLQuantizationType:
    """How a tensor is stored. Rows that Q8_0's blocks of 32 do not divide stay f16."""
    if len(shape) == 1:
        return _F32
    return _Q8 if quantization == "q8_0" and shape[-1] % 32 == 0 else _F16


def _packed(weights: Weights, kind: gguf.GGMLQuantizationType, name: str) -> NDArray[Any]:
    """As it is stored. Raises ModelFileError for what is no number or too large for one of 16 bits."""
    largest = float(np.abs(weights).max(initial=0.0))
    if not largest <= (_LARGEST_HALF if kind is not _F32 else np.finfo(np.float32).max):
        raise ModelFileError(f"tensor {name} holds {largest}, which 16 bits cannot; the training went wrong")
    packed: NDArray[Any] = gguf.quants.quantize(weights, kind)
    return packed
