"""The sizes of a Llama, from its configuration or from a table in a pipeline's file, and what follows from them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scribe.errors import ModelFileError, UsageError


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a Llama. heads: of the queries; key_heads: of keys and values; head: dimensions of each."""

    vocabulary: int
    width: int
    layers: int
    hidden: int
    heads: int
    key_heads: int
    head: int
    tied: bool = False

    @property
    def linears(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of a layer's seven linear modules: q, k, v, o, gate, up, down."""
        query, key = self.heads * self.head, self.key_heads * self.head
        attention = ((self.width, query), (self.width, key), (self.width, key), (query, self.width))
        return (*attention, (self.width, self.hidden), (self.width, self.hidden), (self.hidden, self.width))

    @property
    def linear_weights(self) -> int:
        """Numbers in the linear modules of all layers."""
        return self.layers * sum(inputs * outputs for inputs, outputs in self.linears)

    @property
    def table_weights(self) -> int:
        """Numbers in the word tables and norms, which LoRA leaves alone."""
        return self.vocabulary * self.width * (1 if self.tied else 2) + (2 * self.layers + 1) * self.width

    def adapter_weights(self, rank: int) -> int:
        """Numbers that LoRA of this rank trains: rank x (inputs + outputs) for each linear module."""
        return self.layers * rank * sum(inputs + outputs for inputs, outputs in self.linears)

    def config(self) -> dict[str, Any]:
        """The keyword arguments of `transformers.LlamaConfig`."""
        return {
            "vocab_size": self.vocabulary,
            "hidden_size": self.width,
            "num_hidden_layers": self.layers,
            "intermediate_size": self.hidden,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.key_heads,
            "head_dim": self.head,
            "tie_word_embeddings": self.tied,
        }


SHAPES = {
    "8b": Shape(128_256, 4096, 32, 14_336, 32, 8, 128),
    "3b": Shape(128_256, 3072, 28, 8192, 24, 8, 128, tied=True),
    "1b": Shape(128_256, 2048, 16, 8192, 32, 8, 64, tied=True),
    "135m": Shape(49_152, 576, 30, 1536, 9, 3, 64, tied=True),
}
"""Of Llama 3.1 8B (ToolACE-8B too), Llama 3.2 3B and 1B, and SmolLM2 135M."""


def shape_of(folder: Path) -> Shape:
    """The shape that a model folder's config.json tells. Raises ModelFileError if it does not."""
    path = folder / "config.json"
    try:
        told = json.loads(path.read_bytes())
        heads = told["num_attention_heads"]
        return Shape(
            told["vocab_size"],
            told["hidden_size"],
            told["num_hidden_layers"],
            told["intermediate_size"],
            heads,
            told.get("num_key_value_heads", heads),
            told.get("head_dim") or told["hidden_size"] // heads,
            told.get("tie_word_embeddings", False),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{path}: not the configuration of a Llama ({error!r})") from error


def named(name: str) -> Shape:
    """One of SHAPES, or that of a model folder. Raises UsageError naming what there is."""
    if name in SHAPES:
        return SHAPES[name]
    if (Path(name) / "config.json").exists():
        return shape_of(Path(name))
    raise UsageError(f"there is no shape {name}; name a model folder or one of: {', '.join(SHAPES)}")
