"""A Llama in the Hugging Face format to one GGUF file for llama.cpp."""

import ctypes
import tempfile
from collections import Counter
from pathlib import Path

import gguf
import numpy as np
import torch
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from data.pretrained.adapter import LINEAR, NORMS, Weights, to_pairs
from finetune.export.tokenizer_gguf import add_tokenizer, read_tokenizer
from finetune.llama import list_shards, read_llama, read_shard
from finetune.settings import Quantization
from scribe.backends.hf import chat_template
from scribe.backends.weights import hash_weights
from scribe.gguf import file as gguf_file
from scribe.gguf.file import WEIGHTS_KEY
from scribe.gguf.native import llama_cpp
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.files import PARTIAL, replace_file

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
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as partial:
        if quantization != "q4_k_m":
            _write(folder, partial, path.stem, quantization)
            return path
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL) as beside:
            half = Path(beside) / "half.gguf"
            _write(folder, half, path.stem, "f16")
            _quantize_to_four_bits(half, partial)
    return path


def count_matrix_types(path: Path) -> dict[str, int]:
    """How many matrices a GGUF file stores in each of ggml's types. Raises ModelFileError for a file that is none.

    Rows that a type's blocks of 32 or 256 do not divide are stored in a larger one.
    """
    try:
        tensors = gguf.GGUFReader(path).tensors
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not a readable GGUF file ({error})") from error
    return dict(Counter(tensor.tensor_type.name for tensor in tensors if len(tensor.shape) > 1))


def _write(folder: Path, path: Path, name: str, quantization: Quantization) -> None:
    llama = read_llama(folder)
    tokenizer, tokenizer_kind = read_tokenizer(folder, llama.vocab_size)
    tensors = _list_tensors(llama)
    weights = {name: tensor for shard in list_shards(folder) for name, tensor in read_shard(shard).items()}
    if others := sorted(name for name in weights.keys() - {*tensors, "lm_head.weight"} if not name.endswith(_NEEDLESS)):
        raise UsageError(f"{folder}: {', '.join(others[:3])} (of {len(others)}) would be left out; no plain Llama")
    if missing := [name for name in tensors if name not in weights]:
        raise ModelFileError(f"{folder}: no tensor {missing[0]} in its safetensors files")
    writer = gguf.GGUFWriter(path, "llama", use_temp_file=True)  # so that memory holds one tensor at a time
    try:
        _describe(writer, llama, quantization, name)
        writer.add_string(WEIGHTS_KEY, hash_weights(folder))
        add_tokenizer(writer, tokenizer, tokenizer_kind, llama.vocab_size, chat_template(folder))
        heads = {"attn_q": llama.num_attention_heads, "attn_k": llama.num_key_value_heads}
        for source, target in tensors.items():
            matrix = weights[source].to(torch.float32).numpy()
            if count := heads.get(target.split(".")[-2]):
                matrix = to_pairs(matrix, count)
            kind = _choose_type(matrix.shape, quantization)
            _check_size(matrix, kind, source)
            writer.add_tensor(target, gguf.quants.quantize(matrix, kind), raw_dtype=kind)
        if llama.rope_parameters["rope_type"] != "default":
            writer.add_tensor("rope_freqs.weight", _divide_frequencies(llama))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()


def _list_tensors(llama: LlamaConfig) -> dict[str, str]:
    """What GGUF calls each tensor that llama.cpp reads, by its name in the model folder, in llama.cpp's order."""
    layers = {
        f"model.layers.{layer}.{module}.weight": f"blk.{layer}.{name}.weight"
        for layer in range(llama.num_hidden_layers)
        for module, name in (NORMS | LINEAR).items()
    }
    names = {
        "model.embed_tokens.weight": "token_embd.weight",
        **layers,
        "model.norm.weight": "output_norm.weight",
    }
    return names if llama.tie_word_embeddings else names | {"lm_head.weight": "output.weight"}


def _describe(writer: gguf.GGUFWriter, llama: LlamaConfig, quantization: Quantization, name: str) -> None:
    writer.add_name(name)
    writer.add_context_length(llama.max_position_embeddings)
    writer.add_embedding_length(llama.hidden_size)
    writer.add_block_count(llama.num_hidden_layers)
    writer.add_feed_forward_length(llama.intermediate_size)
    writer.add_head_count(llama.num_attention_heads)
    writer.add_head_count_kv(llama.num_key_value_heads)
    writer.add_key_length(llama.head_dim)
    writer.add_value_length(llama.head_dim)
    writer.add_layer_norm_rms_eps(llama.rms_norm_eps)
    writer.add_rope_dimension_count(llama.head_dim)
    writer.add_rope_freq_base(llama.rope_parameters["rope_theta"])
    writer.add_vocab_size(llama.vocab_size)
    kind = gguf.LlamaFileType.MOSTLY_Q8_0 if quantization == "q8_0" else gguf.LlamaFileType.MOSTLY_F16
    writer.add_file_type(kind)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def _divide_frequencies(llama: LlamaConfig) -> Weights:
    """By what Llama 3.1's scaling divides each of a head's frequencies, (head / 2,); llama.cpp reads it so."""
    scaled, _ = ROPE_INIT_FUNCTIONS["llama3"](llama, torch.device("cpu"))
    plain = llama.rope_parameters["rope_theta"] ** -(np.arange(0, llama.head_dim, 2) / llama.head_dim)
    divisors: Weights = (plain / scaled.numpy()).astype(np.float32)
    return divisors


def _choose_type(shape: tuple[int, ...], quantization: Quantization) -> gguf.GGMLQuantizationType:
    """How a tensor is stored. Rows that Q8_0's blocks of 32 do not divide stay f16."""
    if len(shape) == 1:
        return _F32
    return _Q8 if quantization == "q8_0" and shape[-1] % 32 == 0 else _F16


def _check_size(weights: Weights, kind: gguf.GGMLQuantizationType, name: str) -> None:
    """Raise ModelFileError for what is no number or too large for one of 16 bits."""
    largest = float(np.abs(weights).max(initial=0.0))
    if not largest <= (_LARGEST_HALF if kind is not _F32 else np.finfo(np.float32).max):
        raise ModelFileError(f"tensor {name} holds {largest}, which 16 bits cannot; the training went wrong")


def _quantize_to_four_bits(source: Path, path: Path) -> None:
    """Write an f16 file as Q4_K_M by llama.cpp's own code. Raises ModelFileError with its reason.

    A K-quant needs rows of a multiple of 256; llama.cpp stores others in the nearest larger kind.
    """
    settings = llama_cpp.llama_model_quantize_default_params()
    settings.ftype, settings.nthread = llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M, 0
    gguf_file.listen()
    gguf_file.forget()
    code = llama_cpp.llama_model_quantize(str(source).encode(), str(path).encode(), ctypes.byref(settings))
    if code:
        raise ModelFileError(f"{source}: cannot be quantized as q4_k_m ({gguf_file.heard(f'code {code}')})")
