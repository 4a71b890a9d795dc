"""A Llama's folder in the Hugging Face format: its configuration and weights, and refusal of models of another kind."""

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import LlamaConfig

from data.pretrained.adapter import read_json
from scribe.plumbing.errors import ModelFileError, UsageError

WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"
_ROPE = ("default", "llama3")


_SIZES = ("vocab_size", "hidden_size", "num_hidden_layers", "intermediate_size", "num_attention_heads")
SHAPES = {
    name: LlamaConfig(**dict(zip(_SIZES, sizes, strict=True)), num_key_value_heads=kv_heads, tie_word_embeddings=tied)
    for name, sizes, kv_heads, tied in (
        ("8b", (128_256, 4096, 32, 14_336, 32), 8, False),
        ("3b", (128_256, 3072, 28, 8192, 24), 8, True),
        ("1b", (128_256, 2048, 16, 8192, 32), 8, True),
        ("135m", (49_152, 576, 30, 1536, 9), 3, True),
    )
}
"""Sizes of Llama 3.1 8B (ToolACE-8B too), Llama 3.2 3B and 1B, and SmolLM2 135M."""


def list_linears(llama: LlamaConfig) -> list[tuple[int, int]]:
    """Inputs and outputs of a layer's seven linear modules: q, k, v, o, gate, up, down."""
    width, inner = llama.hidden_size, llama.intermediate_size
    query, key = (heads * llama.head_dim for heads in (llama.num_attention_heads, llama.num_key_value_heads))
    return [(width, query), (width, key), (width, key), (query, width), (width, inner), (width, inner), (inner, width)]


def count_linear_weights(llama: LlamaConfig) -> int:
    """Numbers in the linear modules of all layers."""
    return int(llama.num_hidden_layers) * sum(inputs * outputs for inputs, outputs in list_linears(llama))


def count_table_weights(llama: LlamaConfig) -> int:
    """Numbers in the word tables and norms, which LoRA leaves alone."""
    tables = llama.vocab_size * (1 if llama.tie_word_embeddings else 2)
    return int((tables + 2 * llama.num_hidden_layers + 1) * llama.hidden_size)


def count_adapter_weights(llama: LlamaConfig, rank: int) -> int:
    """Numbers that LoRA of this rank trains: rank x (inputs + outputs) for each linear module."""
    return int(llama.num_hidden_layers) * rank * sum(inputs + outputs for inputs, outputs in list_linears(llama))


def find_shape(name: str) -> LlamaConfig:
    """One of SHAPES, or that of a model folder. Raises UsageError naming what there is."""
    if name in SHAPES:
        return SHAPES[name]
    if (Path(name) / "config.json").exists():
        return read_llama(Path(name))
    raise UsageError(f"there is no shape {name}; name a model folder or one of: {', '.join(SHAPES)}")


def read_llama(folder: Path) -> LlamaConfig:
    """The configuration of the model in a folder. Raises ModelFileError, or UsageError for a model not of our kind."""
    path = folder / "config.json"
    config = read_json(path)
    if missing := [key for key in _SIZES if key not in config]:
        raise ModelFileError(f"{path}: it does not say {missing[0]}")
    rope = dict(config.get("rope_scaling") or {}) | dict(config.get("rope_parameters") or {})
    scaling = rope.get("rope_type") or rope.get("type") or "default"
    wrong = {
        f"is a {config.get('model_type')!r}, not a 'llama'": config.get("model_type") != "llama",
        "has biases": config.get("attention_bias") or config.get("mlp_bias"),
        f"has the activation {config.get('hidden_act')!r}, not 'silu'": config.get("hidden_act", "silu") != "silu",
        f"scales RoPE by {scaling!r}, not {' or '.join(_ROPE)}": scaling not in _ROPE,
        "rotates only a part of each head": float(rope.get("partial_rotary_factor") or 1.0) != 1.0,
        "holds quantized weights; train and export the full-precision ones": config.get("quantization_config"),
    }
    for problem, holds in wrong.items():
        if holds:
            raise UsageError(f"{path}: the model {problem}; it cannot be exported here (llama.cpp's converter may)")
    return LlamaConfig.from_dict(dict(config))


def list_shards(folder: Path) -> list[Path]:
    """The files with a model's weights, as its index names them, else its one file. Raises ModelFileError."""
    indexed = (folder / INDEX).exists()
    names = sorted(set((read_json(folder / INDEX).get("weight_map") or {}).values())) if indexed else [WHOLE]
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise ModelFileError(f"{folder}: there is no {', '.join(missing)}")
    return [folder / name for name in names]


def read_shard(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of one file by name, mapped into memory, so that each is read when it is used.

    Raises ModelFileError.
    """
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path}: not a readable safetensors file ({error})") from error
