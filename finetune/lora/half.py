"""Attention of a row's rest in bf16, for processors that have units for it but whose fused attention uses none.

PyTorch's fused attention runs on a processor at a third of what its matrix products reach, and no faster in bf16. Two
products and a softmax in bf16 are two to four times as fast. They keep the shares of attention for the gradients; an
opening that is a constant wants none.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor


class HalfAttention(torch.autograd.Function):
    """softmax(q [K k]ᵀ · scaling) [V v] in bf16 for each row, K and V constants; heads sharing a key lie together."""

    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        before: tuple[Tensor, Tensor],
        rests: Sequence[int],
        scaling: float,
    ) -> Tensor:
        """query: (heads, T, size), key, value: (key heads, T, size), before: keys and values of the opening, each (key
        heads, P, size), in bf16, rests: lengths of the rows in T; returns (heads, T, size) in the query's type.
        """
        groups = key.shape[0]
        halves = [torch.split(each.to(torch.bfloat16), list(rests), 1) for each in (query.mul(scaling), key, value)]
        said, kept = [], []
        for asked, own_key, own_value in zip(*halves, strict=True):
            length = asked.shape[1]
            asked = asked.reshape(groups, -1, asked.shape[2])
            keys, values = torch.cat([before[0], own_key], 1), torch.cat([before[1], own_value], 1)
            scores = torch.bmm(asked, keys.transpose(1, 2))
            behind = _behind(length, asked.shape[1] // length, query.device)
            scores[:, :, keys.shape[1] - length :].masked_fill_(behind, float("-inf"))
            shares = torch.softmax(scores, -1)
            said.append(torch.bmm(shares, values).view(query.shape[0], length, -1))
            kept += [asked, keys, values, shares]
        ctx.save_for_backward(*kept)
        ctx.rests, ctx.scaling = rests, scaling
        return torch.cat(said, 1).to(query.dtype)

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None, None]:
        """The gradients of query, key and value."""
        (said,) = above
        wanted = torch.split(said.to(torch.bfloat16), list(ctx.rests), 1)
        saved = ctx.saved_tensors  # once: where activations are computed anew, they may be taken out only once
        found: list[tuple[Tensor, Tensor, Tensor]] = []
        for place, (length, given) in enumerate(zip(ctx.rests, wanted, strict=True)):
            asked, keys, values, shares = saved[4 * place : 4 * place + 4]
            own, given = keys.shape[1] - length, given.reshape(asked.shape)
            dshares = torch.bmm(given, values.transpose(1, 2))
            dscores = torch._softmax_backward_data(dshares, shares, -1, shares.dtype)
            dquery = torch.bmm(dscores, keys).view(said.shape[0], length, -1)
            dkey = torch.bmm(dscores[:, :, own:].transpose(1, 2), asked)
            found.append((dquery, dkey, torch.bmm(shares[:, :, own:].transpose(1, 2), given)))
        dquery, dkey, dvalue = (torch.cat(each, 1).to(said.dtype) for each in zip(*found, strict=True))
        return dquery.mul_(ctx.scaling), dkey, dvalue, None, None, None


@lru_cache(maxsize=64)  # every layer wants the same ones
def _behind(length: int, heads: int, device: torch.device) -> Tensor:
    """True where a place must not look, (heads * length, length): at what comes after it."""
    return torch.ones(length, length, dtype=torch.bool, device=device).triu(1).repeat(heads, 1)


def has_bf16_units() -> bool:
    """Whether this processor multiplies bf16 in units of its own; others do it hundreds of times slower than f32."""
    return torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
