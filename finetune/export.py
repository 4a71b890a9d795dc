"""A Llama in the Hugging Face format to one GGUF file for llama.cpp.

Only what we train: the Llama architecture without biases or RoPE scaling, and a byte-level BPE
tokenizer that splits like Llama 3's. Larger or other models go through llama.cpp's own converter.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import gguf
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from scribe.errors import ModelFileError, UsageError

Quantization = Literal["f16", "q8_0"]
Weights = NDArray[np.float32]

LLAMA3_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 splits text before BPE. llama.cpp knows it as the pre-tokenizer "llama-bpe"."""

_LAYER_NAMES = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of the file: its name there and here, and the heads whose rows change order (0: none)."""

    name: str
    source: str
    heads: int = 0


def export_gguf(folder: Path | str, path: Path | str, quantization: Quantization = "f16") -> Path:
    """Write the model of `folder` to `path` and return it; matrices as f16 or Q8_0, vectors as float32.

    Raises ModelFileError if a file is missing, UsageError for a model that is not of our kind.
    """
    folder, path = Path(folder), Path(path)
    config, tokenizer = _json(folder / "config.json"), _json(folder / "tokenizer.json")
    _check(config, tokenizer)
    temporary = path.with_name(f"{path.name}.part")
    writer = gguf.GGUFWriter(temporary, "llama")
    try:
        _describe(writer, config, quantization, path.stem)
        _add_tokenizer(writer, tokenizer, config)
        _write_tensors(writer, config, _Source(folder), quantization)
        writer.close()
        temporary.replace(path)
    finally:
        writer.close()
        temporary.unlink(missing_ok=True)
    return path


def _check(config: Mapping[str, Any], tokenizer: Mapping[str, Any]) -> None:
    """Refuse what would be written without complaint and then compute something else."""
    if config.get("model_type") != "llama" or config.get("attention_bias") or config.get("mlp_bias"):
        raise UsageError("only Llama models without biases can be exported")
    if _rope(config).get("rope_type", "default") != "default":
        raise UsageError("a model with RoPE scaling cannot be exported here; use llama.cpp's converter")
    model = tokenizer["model"]
    if model["type"] != "BPE" or not model.get("ignore_merges") or LLAMA3_SPLIT not in _patterns(tokenizer):
        raise UsageError("the tokenizer must be a BPE with ignore_merges that splits text as Llama 3 does")
    if any(not token["special"] for token in tokenizer["added_tokens"]):
        raise UsageError("an added token that is not special would be recognised in a student's text")


def _describe(
    writer: gguf.GGUFWriter, config: Mapping[str, Any], quantization: Quantization, name: str
) -> None:
    heads = config["num_attention_heads"]
    writer.add_name(name)
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config.get("head_dim") or config["hidden_size"] // heads)
    writer.add_rope_freq_base(_rope(config)["rope_theta"])
    writer.add_vocab_size(config["vocab_size"])
    kind = gguf.LlamaFileType.MOSTLY_Q8_0 if quantization == "q8_0" else gguf.LlamaFileType.MOSTLY_F16
    writer.add_file_type(kind)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def _add_tokenizer(writer: gguf.GGUFWriter, tokenizer: Mapping[str, Any], config: Mapping[str, Any]) -> None:
    model = tokenizer["model"]
    special = {token["id"]: token["content"] for token in tokenizer["added_tokens"]}
    names = {index: name for name, index in model["vocab"].items()} | special
    size = config["vocab_size"]
    control, normal, unused = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL, gguf.TokenType.UNUSED
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("llama-bpe")
    writer.add_token_list([names.get(index, f"[PAD{index}]") for index in range(size)])
    writer.add_token_types(
        [control if index in special else normal if index in names else unused for index in range(size)]
    )
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair) for pair in model["merges"]])
    ids = {name: index for index, name in special.items()}
    writer.add_bos_token_id(ids["<|begin_of_text|>"])
    writer.add_eot_token_id(ids["<|eot_id|>"])
    writer.add_eos_token_id(ids.get("<|end_of_text|>", ids["<|eot_id|>"]))


def _write_tensors(
    writer: gguf.GGUFWriter, config: Mapping[str, Any], source: "_Source", quantization: Quantization
) -> None:
    """The list of tensors first, then their data one by one, so that memory holds only one at a time."""
    tensors = list(_tensors(config))
    for tensor in tensors:
        packed, kind = _packed(source.load(tensor), quantization)
        writer.add_tensor_info(tensor.name, packed.shape, packed.dtype, packed.nbytes, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in tensors:
        writer.write_tensor_data(_packed(source.load(tensor), quantization)[0])


def _tensors(config: Mapping[str, Any]) -> Iterator[Tensor]:
    yield Tensor("token_embd.weight", "model.embed_tokens.weight")
    for layer in range(config["num_hidden_layers"]):
        for source, name in _LAYER_NAMES.items():
            heads = {"attn_q": "num_attention_heads", "attn_k": "num_key_value_heads"}.get(name)
            yield Tensor(
                f"blk.{layer}.{name}.weight",
                f"model.layers.{layer}.{source}.weight",
                config[heads] if heads else 0,
            )
    yield Tensor("output_norm.weight", "model.norm.weight")
    if not config.get("tie_word_embeddings", False):  # llama.cpp falls back to the embedding
        yield Tensor("output.weight", "lm_head.weight")


def _packed(weights: Weights, quantization: Quantization) -> tuple[NDArray[Any], gguf.GGMLQuantizationType]:
    """As it is stored. Rows that Q8_0's blocks of 32 do not divide stay f16."""
    kind = gguf.GGMLQuantizationType.F16
    if weights.ndim == 1:
        kind = gguf.GGMLQuantizationType.F32
    elif quantization == "q8_0" and weights.shape[-1] % 32 == 0:
        kind = gguf.GGMLQuantizationType.Q8_0
    return gguf.quants.quantize(weights, kind), kind


def interleaved(weights: Weights, heads: int) -> Weights:
    """Rows (heads * 2 * half, width) from [all first halves, all second halves] of each head to pairs.

    Hugging Face rotates dimension i with i + half, llama.cpp 2i with 2i + 1.
    """
    halves = weights.reshape(heads, 2, -1, weights.shape[-1])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(weights.shape))


class _Source:
    """The weights of a model folder, in one safetensors file or several."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Path] = {}
        for path in sorted(folder.glob("*.safetensors")):
            with _opened(path) as file:
                self._files.update(dict.fromkeys(file.keys(), path))

    def load(self, tensor: Tensor) -> Weights:
        """The tensor as float32, its rows in llama.cpp's order."""
        if tensor.source not in self._files:
            raise ModelFileError(f"{self._folder}: no tensor {tensor.source} in its safetensors files")
        with _opened(self._files[tensor.source]) as file:
            weights: Weights = file.get_tensor(tensor.source).to(torch.float32).numpy()
        return interleaved(weights, tensor.heads) if tensor.heads else weights


def _opened(path: Path) -> Any:
    """The file as a context manager that reads single tensors."""
    try:
        return safe_open(path, framework="pt")
    except SafetensorError as error:
        raise ModelFileError(f"{path}: not a readable safetensors file ({error})") from error


def _rope(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """RoPE's parameters as transformers 5 writes them, or as 4 did."""
    found: Mapping[str, Any] | None = config.get("rope_parameters")
    return found or {**(config.get("rope_scaling") or {}), "rope_theta": config.get("rope_theta", 10000.0)}


def _patterns(tokenizer: Mapping[str, Any]) -> list[str]:
    outer = tokenizer.get("pre_tokenizer") or {}
    parts = outer.get("pretokenizers", [outer])
    return [part["pattern"].get("Regex", "") for part in parts if part.get("type") == "Split"]


def _json(path: Path) -> Mapping[str, Any]:
    try:
        data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not readable ({error})") from error
    return data
