"""A Llama in the Hugging Face format to one GGUF file for llama.cpp."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from numpy.typing import NDArray

from data.pretrained.adapter import LINEAR, NORMS, Weights, to_pairs
from finetune.export.quantize import quantize
from finetune.export.tokenizer_gguf import add_tokenizer, read_tokenizer
from finetune.export.weights import ModelTensors
from finetune.llama import LlamaConfiguration, LlamaShape, RopeScaling, read_llama
from finetune.settings import Quantization
from scribe.backends.hf import chat_template
from scribe.backends.weights import hash_weights
from scribe.errors import ModelFileError, UsageError
from scribe.gguf.file import WEIGHTS_KEY
from scribe.plumbing.files import PARTIAL, replace_file

_F32, _F16, _Q8 = map(gguf.GGMLQuantizationType.__getitem__, ("F32", "F16", "Q8_0"))
_LARGEST_HALF = 65504.0
_NEEDLESS = (".rotary_emb.inv_freq", ".rotary_emb.cos_cached", ".rotary_emb.sin_cached")
"""Ends of the names of tensors that some folders hold and that follow from the configuration."""


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One tensor of the file."""

    name: str
    source: str
    """Its name in the model folder."""
    heads: int = 0
    """Those whose rows change order; 0 for none."""


def list_tensors(shape: LlamaShape) -> Iterator[GgufTensor]:
    """All that llama.cpp reads, in its usual order."""
    yield GgufTensor("token_embd.weight", "model.embed_tokens.weight")
    for layer in range(shape.layers):
        for module in (*NORMS, *LINEAR):
            yield find_layer_tensor(shape, layer, module)
    yield GgufTensor("output_norm.weight", "model.norm.weight")
    if not shape.tied:  # llama.cpp falls back to the embedding
        yield GgufTensor("output.weight", "lm_head.weight")


def find_layer_tensor(shape: LlamaShape, layer: int, module: str) -> GgufTensor:
    """The weight of a layer's module. Raises KeyError for a module that no Llama has."""
    heads = {"self_attn.q_proj": shape.heads, "self_attn.k_proj": shape.kv_heads}.get(module, 0)
    name = (NORMS | LINEAR)[module]
    return GgufTensor(f"blk.{layer}.{name}.weight", f"model.layers.{layer}.{module}.weight", heads)


def divide_frequencies(theta: float, head: int, scaling: RopeScaling) -> Weights:
    """By what each of a head's frequencies is divided, (head / 2,); llama.cpp reads it as `rope_freqs`.

    Llama 3.1's rule, as in its reference code (`apply_scaling`): short waves stay, long ones are stretched by the
    factor, and between them the frequency goes evenly from one to the other.
    """
    frequency = theta ** -(np.arange(0, head, 2, dtype=np.float64) / head)
    turns = scaling.original * frequency / (2 * pi)  # of each wave, over the original context
    share = np.clip((turns - scaling.low) / (scaling.high - scaling.low), 0.0, 1.0)
    kept: Weights = (1.0 / ((1.0 - share) / scaling.factor + share)).astype(np.float32)
    return kept


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
    with replace_file(path) as partial:
        _write(folder, partial, path.stem, quantization)
    return path


def _write(folder: Path, path: Path, name: str, quantization: Quantization) -> None:
    llama, source = read_llama(folder), ModelTensors(folder)
    tokenizer, kind = read_tokenizer(folder, llama.shape.vocabulary)
    _refuse_others(llama, source, folder)
    writer = gguf.GGUFWriter(path, "llama")
    try:
        _describe(writer, llama, quantization, name)
        writer.add_string(WEIGHTS_KEY, hash_weights(folder))
        add_tokenizer(writer, tokenizer, kind, llama.shape.vocabulary, chat_template(folder))
        _write_tensors(writer, llama, source, quantization)
    finally:
        writer.close()


def _refuse_others(llama: LlamaConfiguration, source: ModelTensors, folder: Path) -> None:
    """Refuse tensors that would be left out: biases, an adapter's, more layers than the configuration says."""
    known = {tensor.source for tensor in list_tensors(llama.shape)} | {"lm_head.weight"}
    others = sorted(name for name in source.names - known if not name.endswith(_NEEDLESS))
    if others:
        raise UsageError(f"{folder}: {', '.join(others[:3])} (of {len(others)}) would be left out; no plain Llama")


def _describe(writer: gguf.GGUFWriter, llama: LlamaConfiguration, quantization: Quantization, name: str) -> None:
    writer.add_name(name)
    writer.add_context_length(llama.context)
    writer.add_embedding_length(llama.shape.width)
    writer.add_block_count(llama.shape.layers)
    writer.add_feed_forward_length(llama.shape.inner)
    writer.add_head_count(llama.shape.heads)
    writer.add_head_count_kv(llama.shape.kv_heads)
    writer.add_key_length(llama.shape.head)
    writer.add_value_length(llama.shape.head)
    writer.add_layer_norm_rms_eps(llama.epsilon)
    writer.add_rope_dimension_count(llama.shape.head)
    writer.add_rope_freq_base(llama.theta)
    writer.add_vocab_size(llama.shape.vocabulary)
    kind = gguf.LlamaFileType.MOSTLY_Q8_0 if quantization == "q8_0" else gguf.LlamaFileType.MOSTLY_F16
    writer.add_file_type(kind)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def _write_tensors(
    writer: gguf.GGUFWriter, llama: LlamaConfiguration, source: ModelTensors, quantization: Quantization
) -> None:
    """The list of tensors first, then their data one by one, so that memory holds only one at a time."""
    for tensor in list_tensors(llama.shape):
        shape = source.shape(tensor.source)
        kind = _find_kind(shape, quantization)
        stored = gguf.quants.quant_shape_to_byte_shape(shape, kind) if kind is _Q8 else shape
        dtype = {_F32: np.float32, _F16: np.float16}.get(kind, np.uint8)
        size = int(np.prod(stored)) * np.dtype(dtype).itemsize
        writer.add_tensor_info(tensor.name, stored, np.dtype(dtype), size, raw_dtype=kind)
    for name, values in _list_computed(llama):
        writer.add_tensor_info(name, values.shape, values.dtype, values.nbytes)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in list_tensors(llama.shape):
        weights = _load(source, tensor)
        writer.write_tensor_data(_quantize(weights, _find_kind(weights.shape, quantization), tensor.source))
    for _, values in _list_computed(llama):
        writer.write_tensor_data(values)


def _list_computed(llama: LlamaConfiguration) -> Iterator[tuple[str, Weights]]:
    """Tensors that follow from the configuration."""
    if llama.scaling:
        yield "rope_freqs.weight", divide_frequencies(llama.theta, llama.shape.head, llama.scaling)


def _load(source: ModelTensors, tensor: GgufTensor) -> Weights:
    """The tensor as float32, its rows in llama.cpp's order."""
    weights: Weights = source.load(tensor.source).to(torch.float32).numpy()
    return to_pairs(weights, tensor.heads) if tensor.heads else weights


def _find_kind(shape: tuple[int, ...], quantization: Quantization) -> gguf.GGMLQuantizationType:
    """How a tensor is stored. Rows that Q8_0's blocks of 32 do not divide stay f16."""
    if len(shape) == 1:
        return _F32
    return _Q8 if quantization == "q8_0" and shape[-1] % 32 == 0 else _F16


def _quantize(weights: Weights, kind: gguf.GGMLQuantizationType, name: str) -> NDArray[Any]:
    """As it is stored. Raises ModelFileError for what is no number or too large for one of 16 bits."""
    largest = float(np.abs(weights).max(initial=0.0))
    if not largest <= (_LARGEST_HALF if kind is not _F32 else np.finfo(np.float32).max):
        raise ModelFileError(f"tensor {name} holds {largest}, which 16 bits cannot; the training went wrong")
    packed: NDArray[Any] = gguf.quants.quantize(weights, kind)
    return packed
