"""What config.json says of a Llama, and refusal of whatever we would write down wrongly."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.pretrained.adapter import read_json
from scribe.errors import ModelFileError, UsageError

_ROPE = ("default", "llama3")


@dataclass(frozen=True, slots=True)
class Scaling:
    """RoPE stretched to a longer context as Llama 3.1 does; `original` is the context before, in tokens."""

    factor: float
    low: float
    high: float
    original: int


@dataclass(frozen=True, slots=True)
class Llama:
    """The shape of a model. width: of the residual stream; inner: of the feed-forward layers; sizes in units."""

    layers: int
    width: int
    inner: int
    heads: int
    kv_heads: int
    head: int
    vocabulary: int
    context: int
    epsilon: float
    theta: float
    scaling: Scaling | None
    tied: bool


def read_llama(folder: Path) -> Llama:
    """The shape of the model in a folder. Raises ModelFileError, or UsageError for a model that is not of our kind."""
    path = folder / "config.json"
    config = read_json(path)
    _check(config, path)
    try:
        return _llama(config)
    except KeyError as error:
        raise ModelFileError(f"{path}: it does not say {error.args[0]}") from error


def _llama(config: Mapping[str, Any]) -> Llama:
    heads, rope = int(config["num_attention_heads"]), _rope(config)
    return Llama(
        layers=int(config["num_hidden_layers"]),
        width=int(config["hidden_size"]),
        inner=int(config["intermediate_size"]),
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head=int(config.get("head_dim") or config["hidden_size"] // heads),
        vocabulary=int(config["vocab_size"]),
        context=int(config["max_position_embeddings"]),
        epsilon=float(config["rms_norm_eps"]),
        theta=float(rope["rope_theta"]),
        scaling=_scaling(rope),
        tied=bool(config.get("tie_word_embeddings", False)),
    )


def _check(config: Mapping[str, Any], path: Path) -> None:
    rope = _rope(config)
    wrong = {
        f"is a {config.get('model_type')!r}, not a 'llama'": config.get("model_type") != "llama",
        "has biases": config.get("attention_bias") or config.get("mlp_bias"),
        f"has the activation {config.get('hidden_act')!r}, not 'silu'": config.get("hidden_act", "silu") != "silu",
        f"scales RoPE by {_kind(rope)!r}, not {' or '.join(_ROPE)}": _kind(rope) not in _ROPE,
        "rotates only a part of each head": float(rope.get("partial_rotary_factor") or 1.0) != 1.0,
        "holds quantized weights; merge and export the full-precision ones": config.get("quantization_config"),
    }
    for problem, holds in wrong.items():
        if holds:
            raise UsageError(f"{path}: the model {problem}; it cannot be exported here (llama.cpp's converter may)")


def _rope(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """RoPE's parameters as transformers 5 writes them, or as 4 did."""
    theta = {"rope_theta": config.get("rope_theta", 10000.0)}
    return theta | dict(config.get("rope_scaling") or {}) | dict(config.get("rope_parameters") or {})


def _kind(rope: Mapping[str, Any]) -> str:
    return str(rope.get("rope_type") or rope.get("type") or "default")


def _scaling(rope: Mapping[str, Any]) -> Scaling | None:
    if _kind(rope) == "default":
        return None
    return Scaling(
        float(rope["factor"]),
        float(rope["low_freq_factor"]),
        float(rope["high_freq_factor"]),
        int(rope["original_max_position_embeddings"]),
    )
