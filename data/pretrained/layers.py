"""A Llama's tensors by their names in transformers and in GGUF, and the order of rows, which differs."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.float32]

LINEAR = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""A layer's linear modules, which LoRA adapts, and what GGUF calls them."""
NORMS = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}


def to_pairs(weights: Weights, heads: int) -> Weights:
    """Rows (heads * 2 * half, width) from [all first halves, all second halves] of each head to GGUF's pairs.

    Hugging Face rotates dimension i with i + half, llama.cpp 2i with 2i + 1.
    """
    halves = weights.reshape(heads, 2, -1, weights.shape[-1])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(weights.shape))


def to_halves(weights: Weights, heads: int) -> Weights:
    """The other way: from llama.cpp's order of rows to that of Hugging Face."""
    pairs = weights.reshape(heads, -1, 2, weights.shape[-1])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(weights.shape))
