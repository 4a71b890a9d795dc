"""Attention of a row's rest in bf16, for processors that have units for it but whose fused attention uses none.

PyTorch's fused attention runs on a processor at a third of what its matrix products reach, and no faster in bf16. Two
products and a softmax in bf16 are two to four times as fast, and what they keep for the gradients is small, since an
opening that is a constant wants none.
"""

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor


class HalfAttention(torch.autograd.Function):
    """softmax(q [K k]ᵀ · scaling) [V v] in bf16, K and V constants; query heads that share a key lie side by side."""

    @staticmethod
    def forward(
        ctx: Any, query: Tensor, key: Tensor, value: Tensor, before: tuple[Tensor, Tensor] | None, scaling: float
    ) -> Tensor:
        """query: (heads, T, size), key and value: (key heads, T, size), before: keys and values of the opening, each
        (key heads, P, size), in bf16; returns (heads, T, size) in the query's type.
        """
        groups, length = key.shape[0], key.shape[1]
        asked = query.to(torch.bfloat16).reshape(groups, -1, query.shape[2])
        keys, values = key.to(torch.bfloat16), value.to(torch.bfloat16)
        if before is not None:
            keys, values = torch.cat([before[0], keys], 1), torch.cat([before[1], values], 1)
        scores = torch.bmm(asked, keys.transpose(1, 2)).mul_(scaling)
        behind = _behind(length, asked.shape[1] // length, query.device)
        scores[:, :, keys.shape[1] - length :].masked_fill_(behind, float("-inf"))
        shares = torch.softmax(scores, -1)
        ctx.save_for_backward(asked, keys, values, shares)
        ctx.length, ctx.scaling = length, scaling
        return torch.bmm(shares, values).to(query.dtype).view(query.shape)

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None]:
        """The gradients of query, key and value."""
        (said,) = above
        asked, keys, values, shares = ctx.saved_tensors
        own = keys.shape[1] - ctx.length
        wanted = said.to(torch.bfloat16).reshape(asked.shape)
        dvalue = torch.bmm(shares[:, :, own:].transpose(1, 2), wanted)
        dshares = torch.bmm(wanted, values.transpose(1, 2))
        dscores = torch._softmax_backward_data(dshares, shares, -1, shares.dtype)  # type: ignore[attr-defined]
        dquery = torch.bmm(dscores, keys).to(said.dtype).mul_(ctx.scaling).view(said.shape)
        dkey = torch.bmm(dscores[:, :, own:].transpose(1, 2), asked).to(said.dtype).mul_(ctx.scaling)
        return dquery, dkey, dvalue.to(said.dtype), None, None


@lru_cache(maxsize=64)  # every layer wants the same ones
def _behind(length: int, heads: int, device: torch.device) -> Tensor:
    """True where a place must not look, (heads * length, length): at what comes after it."""
    return torch.ones(length, length, dtype=torch.bool, device=device).triu(1).repeat(heads, 1)


def has_bf16_units() -> bool:
    """Whether this processor multiplies bf16 in units of its own; others do it hundreds of times slower than f32."""
    return torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
