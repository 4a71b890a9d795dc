"""The sizes of a Llama, from its config.json or by name, and refusal of models that are of another kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.pretrained.adapter import read_json
from scribe.errors import ModelFileError, UsageError

_ROPE = ("default", "llama3")


@dataclass(frozen=True, slots=True)
class LlamaShape:
    """Sizes of a Llama."""

    vocabulary: int
    width: int
    """Of the residual stream."""
    layers: int
    inner: int
    """Of the feed-forward layers."""
    heads: int
    """Of the queries."""
    kv_heads: int
    head: int
    """Dimensions of each head."""
    tied: bool = False
    """Whether the head's weights are the word table's."""

    @property
    def linear_weights(self) -> int:
        """Numbers in the linear modules of all layers."""
        return self.layers * sum(inputs * outputs for inputs, outputs in self._linears)

    @property
    def table_weights(self) -> int:
        """Numbers in the word tables and norms, which LoRA leaves alone."""
        return self.vocabulary * self.width * (1 if self.tied else 2) + (2 * self.layers + 1) * self.width

    def adapter_weights(self, rank: int) -> int:
        """Numbers that LoRA of this rank trains: rank x (inputs + outputs) for each linear module."""
        return self.layers * rank * sum(inputs + outputs for inputs, outputs in self._linears)

    @property
    def _linears(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of a layer's seven linear modules: q, k, v, o, gate, up, down."""
        query, key = self.heads * self.head, self.kv_heads * self.head
        attention = ((self.width, query), (self.width, key), (self.width, key), (query, self.width))
        return (*attention, (self.width, self.inner), (self.width, self.inner), (self.inner, self.width))


SHAPES = {
    "8b": LlamaShape(128_256, 4096, 32, 14_336, 32, 8, 128),
    "3b": LlamaShape(128_256, 3072, 28, 8192, 24, 8, 128, tied=True),
    "1b": LlamaShape(128_256, 2048, 16, 8192, 32, 8, 64, tied=True),
    "135m": LlamaShape(49_152, 576, 30, 1536, 9, 3, 64, tied=True),
}
"""Of Llama 3.1 8B (ToolACE-8B too), Llama 3.2 3B and 1B, and SmolLM2 135M."""


@dataclass(frozen=True, slots=True)
class RopeScaling:
    """RoPE stretched to a longer context as Llama 3.1 does; `original` is the context before, in tokens."""

    factor: float
    low: float
    high: float
    original: int


@dataclass(frozen=True, slots=True)
class LlamaConfiguration:
    """What config.json says of a model."""

    shape: LlamaShape
    context: int
    epsilon: float
    theta: float
    scaling: RopeScaling | None


def find_shape(name: str) -> LlamaShape:
    """One of SHAPES, or that of a model folder. Raises UsageError naming what there is."""
    if name in SHAPES:
        return SHAPES[name]
    if (Path(name) / "config.json").exists():
        return read_llama(Path(name)).shape
    raise UsageError(f"there is no shape {name}; name a model folder or one of: {', '.join(SHAPES)}")


def read_llama(folder: Path) -> LlamaConfiguration:
    """The configuration of the model in a folder. Raises ModelFileError, or UsageError for a model not of our kind."""
    path = folder / "config.json"
    config = read_json(path)
    _check(config, path)
    rope = _rope(config)
    try:
        return LlamaConfiguration(
            shape=_shape(config),
            context=int(config["max_position_embeddings"]),
            epsilon=float(config["rms_norm_eps"]),
            theta=float(rope["rope_theta"]),
            scaling=_scaling(rope),
        )
    except KeyError as error:
        raise ModelFileError(f"{path}: it does not say {error.args[0]}") from error


def _shape(config: Mapping[str, Any]) -> LlamaShape:
    heads = int(config["num_attention_heads"])
    return LlamaShape(
        vocabulary=int(config["vocab_size"]),
        width=int(config["hidden_size"]),
        layers=int(config["num_hidden_layers"]),
        inner=int(config["intermediate_size"]),
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head=int(config.get("head_dim") or config["hidden_size"] // heads),
        tied=bool(config.get("tie_word_embeddings", False)),
    )


def _check(config: Mapping[str, Any], path: Path) -> None:
    rope = _rope(config)
    wrong = {
        f"is a {config.get('model_type')!r}, not a 'llama'": config.get("model_type") != "llama",
        "has biases": config.get("attention_bias") or config.get("mlp_bias"),
        f"has the activation {config.get('hidden_act')!r}, not 'silu'": config.get("hidden_act", "silu") != "silu",
        f"scales RoPE by {_rope_kind(rope)!r}, not {' or '.join(_ROPE)}": _rope_kind(rope) not in _ROPE,
        "rotates only a part of each head": float(rope.get("partial_rotary_factor") or 1.0) != 1.0,
        "holds quantized weights; train and export the full-precision ones": config.get("quantization_config"),
    }
    for problem, holds in wrong.items():
        if holds:
            raise UsageError(f"{path}: the model {problem}; it cannot be exported here (llama.cpp's converter may)")


def _rope(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """RoPE's parameters as transformers 5 writes them, or as 4 did."""
    theta = {"rope_theta": config.get("rope_theta", 10000.0)}
    return theta | dict(config.get("rope_scaling") or {}) | dict(config.get("rope_parameters") or {})


def _rope_kind(rope: Mapping[str, Any]) -> str:
    return str(rope.get("rope_type") or rope.get("type") or "default")


def _scaling(rope: Mapping[str, Any]) -> RopeScaling | None:
    if _rope_kind(rope) == "default":
        return None
    return RopeScaling(
        float(rope["factor"]),
        float(rope["low_freq_factor"]),
        float(rope["high_freq_factor"]),
        int(rope["original_max_position_embeddings"]),
    )
