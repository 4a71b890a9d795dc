"""The base model's GGUF file as a folder in the Hugging Face format, for training and for transformers.

    python -m data.pretrained.conversion

Weights are what the file's quantised blocks stand for, in float32, so nothing is lost.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import save_file

from data.pretrained.layers import LINEAR, NORMS, Weights, to_halves
from data.pretrained.package import GGUF_SHA256, find_base_gguf
from data.pretrained.tokenizer import build_tokenizer, describe_tokenizer
from scribe.plumbing.files import build_once, cache_folder

_MODULES = {theirs: ours for ours, theirs in (LINEAR | NORMS).items()}
_OTHER_TENSORS = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
_CONVERSION = 1
"""To be raised when the folder that is written changes, so that no older one is taken for it."""


def open_base_folder() -> Path:
    """The base model as a folder for transformers, in the cache; converted if it is not there yet (540 MB, seconds).

    Raises ModelFileError if the package is missing or damaged.
    """
    source = find_base_gguf()
    target = cache_folder() / f"smollm2-135m-instruct-{GGUF_SHA256[:12]}-v{_CONVERSION}"
    return build_once(target, lambda partial: convert_gguf(source, partial))


def convert_gguf(source: Path, folder: Path) -> None:
    """Write a Llama's GGUF file as model.safetensors, config.json, tokenizer.json and tokenizer_config.json."""
    reader = gguf.GGUFReader(source)
    config = _describe_model(_fields(reader))
    folder.mkdir(parents=True)
    _write_json(folder / "config.json", config)
    build_tokenizer(reader).save(str(folder / "tokenizer.json"))
    _write_json(folder / "tokenizer_config.json", describe_tokenizer(reader))
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    weights = dict(_convert_tensor(tensor, heads) for tensor in reader.tensors)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _fields(reader: gguf.GGUFReader) -> Callable[[str], Any]:
    """A function from a key of the file's metadata to its value; None for a key that is not there."""
    return lambda key: field.contents() if (field := reader.get_field(key)) else None


def _convert_tensor(tensor: Any, heads: dict[str, int]) -> tuple[str, Weights]:
    name = _name_tensor(tensor.name)
    weights: Weights = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    count = heads.get(name.split(".")[-2], 0)
    return name, to_halves(weights, count) if count else weights


def _name_tensor(name: str) -> str:
    if name in _OTHER_TENSORS:
        return _OTHER_TENSORS[name]
    _, layer, module, kind = name.split(".")
    return f"model.layers.{layer}.{_MODULES[module]}.{kind}"


def _describe_model(value: Callable[[str], Any]) -> dict[str, Any]:
    """The content of config.json."""
    theta, heads = float(value("llama.rope.freq_base")), int(value("llama.attention.head_count"))
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": int(value("llama.embedding_length")),
        "intermediate_size": int(value("llama.feed_forward_length")),
        "num_hidden_layers": int(value("llama.block_count")),
        "num_attention_heads": heads,
        "num_key_value_heads": int(value("llama.attention.head_count_kv")),
        "head_dim": int(value("llama.rope.dimension_count")),
        "max_position_embeddings": int(value("llama.context_length")),
        "rms_norm_eps": float(str(np.float32(value("llama.attention.layer_norm_rms_epsilon")))),
        "rope_parameters": {"rope_type": "default", "rope_theta": theta},
        "vocab_size": len(value("tokenizer.ggml.tokens")),
        "tie_word_embeddings": True,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": value("tokenizer.ggml.bos_token_id"),
        "eos_token_id": value("tokenizer.ggml.eos_token_id"),
        "pad_token_id": value("tokenizer.ggml.padding_token_id"),
        "dtype": "float32",
    }


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    print(open_base_folder())
