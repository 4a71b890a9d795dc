"""Attention over a packed batch: the shared prefix to itself, and each row's suffix to the prefix and itself.

Given to transformers as an attention implementation. With a `PrefixCache` the shared part is read first, by itself,
and the suffixes attend to what was kept of it: in bf16 where a processor has units for it, with two products and a
softmax, which are two to four times as fast there as PyTorch's fused attention (finetune/LOG.md).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface

from finetune.lora.batches import PackLayout

NAME = "scribe_packed"

PrefixCache = dict[int, tuple[Tensor, Tensor]]
"""Keys and values of a shared prefix by layer, each (1, heads, shared, size); in bf16 (key heads, shared, size)."""


def register() -> str:
    """Make transformers know this attention, and return the name it goes by."""
    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, lambda *_, **__: None)  # the layout says it all
    return NAME


def attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: None,
    scaling: float,
    layout: PackLayout,
    prefix: PrefixCache | None = None,
    half: bool = False,
    **_: Any,
) -> tuple[Tensor, None]:
    """query: (1, heads, S, size), key and value: (1, key heads, S, size); returns (1, S, heads, size).

    prefix: S holds the suffixes alone, and what comes before them is here; a pass over the prefix alone, which has no
    suffixes, fills it. half: the suffixes behind such a prefix are computed in bf16. Weights are not dropped out: no
    Llama was trained so.
    """
    if half and prefix is not None and layout.suffixes:
        before = prefix[module.layer_idx]
        said = HalfAttention.apply(query[0], key[0], value[0], before, layout.suffixes, scaling)  # type: ignore[no-untyped-call]
        return said.transpose(0, 1).contiguous()[None], None
    groups = query.shape[1] // key.shape[1]
    if prefix is not None and half:
        prefix[module.layer_idx] = key[0].to(torch.bfloat16), value[0].to(torch.bfloat16)
    if groups > 1:
        key, value = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)
    if prefix is not None and not half and not layout.suffixes:
        prefix[module.layer_idx] = key, value
    kept = None if prefix is None else prefix[module.layer_idx]
    rows = len(layout.suffixes)
    if rows > 1 and not layout.shared and len(set(layout.suffixes)) == 1:
        return _attend_rows(query, key, value, rows, scaling), None
    parts = list(_attend_parts(query, key, value, layout, scaling, kept))
    return torch.cat(parts, dim=2).transpose(1, 2).contiguous(), None


def _attend_rows(query: Tensor, key: Tensor, value: Tensor, rows: int, scaling: float) -> Tensor:
    """Rows of one length, each (1, heads, rows * T, size), all at once; returns (1, rows * T, heads, size)."""
    asked, keys, values = (
        each.view(each.shape[1], rows, -1, each.shape[3]).transpose(0, 1) for each in (query, key, value)
    )
    said = _attend_causally(asked, keys, values, scaling)
    return said.transpose(1, 2).flatten(0, 1)[None]


def _attend_parts(
    query: Tensor, key: Tensor, value: Tensor, layout: PackLayout, scaling: float, kept: tuple[Tensor, Tensor] | None
) -> Iterator[Tensor]:
    p = layout.shared
    # split, not slices: the gradient of each slice is a whole tensor of zeros, that of a split is put together once.
    here = p and (kept is None or not layout.suffixes)
    sizes = [p, *layout.suffixes] if here else list(layout.suffixes)
    queries, keys, values = (list(torch.split(tensor, sizes, 2)) for tensor in (query, key, value))
    if here:
        kept = keys.pop(0), values.pop(0)
        yield _attend_causally(queries.pop(0), *kept, scaling)
    for own_query, own_key, own_value in zip(queries, keys, values, strict=True):
        if p and kept:
            all_keys, all_values = torch.cat([kept[0], own_key], 2), torch.cat([kept[1], own_value], 2)
            mask = _mask(own_query.shape[2], p, query.dtype, query.device)
            yield F.scaled_dot_product_attention(own_query, all_keys, all_values, attn_mask=mask, scale=scaling)
        else:
            yield _attend_causally(own_query, own_key, own_value, scaling)


@lru_cache(maxsize=64)  # every layer wants the same ones
def _mask(size: int, shared: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """What is added to the scores of a suffix: nothing for the prefix and what comes before, -inf behind."""
    seen = torch.ones(size, shared + size, dtype=torch.bool, device=device).tril(shared)
    return torch.zeros(size, shared + size, dtype=dtype, device=device).masked_fill_(~seen, float("-inf"))


def _attend_causally(query: Tensor, key: Tensor, value: Tensor, scaling: float) -> Tensor:
    return F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=scaling)


class HalfAttention(torch.autograd.Function):
    """softmax(q [K k]ᵀ · scaling) [V v] in bf16 for each row, K and V constants; heads sharing a key lie together."""

    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        before: tuple[Tensor, Tensor],
        suffixes: Sequence[int],
        scaling: float,
    ) -> Tensor:
        """query: (heads, T, size), key, value: (key heads, T, size), before: keys and values of the prefix, each (key
        heads, P, size), in bf16, suffixes: lengths of the rows in T; returns (heads, T, size) in the query's type.
        """
        groups = key.shape[0]
        halves = [torch.split(each.to(torch.bfloat16), list(suffixes), 1) for each in (query.mul(scaling), key, value)]
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
        ctx.suffixes, ctx.scaling = suffixes, scaling
        return torch.cat(said, 1).to(query.dtype)

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None, None]:
        """The gradients of query, key and value."""
        (said,) = above
        wanted = torch.split(said.to(torch.bfloat16), list(ctx.suffixes), 1)
        saved = ctx.saved_tensors  # once: where activations are computed anew, they may be taken out only once
        found: list[tuple[Tensor, Tensor, Tensor]] = []
        for place, (length, given) in enumerate(zip(ctx.suffixes, wanted, strict=True)):
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
