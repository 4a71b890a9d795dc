"""Each tensor's name in GGUF, and the order of its rows there."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi

import numpy as np

from data.pretrained.layers import LINEAR, NORMS, Weights
from finetune.export.llama import Llama, Scaling


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of the file: its name there and here, and the heads whose rows change order (0: none)."""

    name: str
    source: str
    heads: int = 0


def tensors(llama: Llama) -> Iterator[Tensor]:
    """All that llama.cpp reads, in its usual order."""
    yield Tensor("token_embd.weight", "model.embed_tokens.weight")
    for layer in range(llama.layers):
        for module in (*NORMS, *LINEAR):
            yield layer_tensor(llama, layer, module)
    yield Tensor("output_norm.weight", "model.norm.weight")
    if not llama.tied:  # llama.cpp falls back to the embedding
        yield Tensor("output.weight", "lm_head.weight")


def layer_tensor(llama: Llama, layer: int, module: str) -> Tensor:
    """The weight of a layer's module. Raises KeyError for a module that no Llama has."""
    heads = {"self_attn.q_proj": llama.heads, "self_attn.k_proj": llama.kv_heads}.get(module, 0)
    name = (NORMS | LINEAR)[module]
    return Tensor(f"blk.{layer}.{name}.weight", f"model.layers.{layer}.{module}.weight", heads)


def rope_divisors(theta: float, head: int, scaling: Scaling) -> Weights:
    """By what each of a head's frequencies is divided, (head / 2,); llama.cpp reads it as `rope_freqs`.

    Llama 3.1's rule, as in its reference code (`apply_scaling`): short waves stay, long ones are stretched by the
    factor, and between them the frequency goes evenly from one to the other.
    """
    frequency = theta ** -(np.arange(0, head, 2, dtype=np.float64) / head)
    turns = scaling.original * frequency / (2 * pi)  # of each wave, over the original context
    share = np.clip((turns - scaling.low) / (scaling.high - scaling.low), 0.0, 1.0)
    kept: Weights = (1.0 / ((1.0 - share) / scaling.factor + share)).astype(np.float32)
    return kept
