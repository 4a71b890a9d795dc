"""Attention over a bunch: the shared opening to itself, and each row's rest to the opening and itself.

Given to transformers as an attention implementation. One masked attention over the whole sequence would compute the
same, but most of its work would be between rows that must not see each other.

With an `Opening` the shared part is read first, by itself, and the rests attend to what was kept of it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface

from finetune.lora.bunches import Layout
from finetune.lora.half import HalfAttention

NAME = "scribe_bunch"

Opening = dict[int, tuple[Tensor, Tensor]]
"""Keys and values of a shared opening by layer, each (1, heads, shared, size); in bf16 (key heads, shared, size)."""


def register() -> str:
    """Make transformers know this attention, and return the name it goes by."""
    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, _no_mask)
    return NAME


def attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: None,
    scaling: float,
    layout: Layout,
    opening: Opening | None = None,
    half: bool = False,
    **_: Any,
) -> tuple[Tensor, None]:
    """query: (1, heads, S, size), key and value: (1, key heads, S, size); returns (1, S, heads, size).

    opening: S holds the rests alone, and their opening is here; a pass over the opening alone, which has no rests,
    fills it. half: the rests behind such an opening are computed in bf16. Weights are not dropped out: no Llama was
    trained so.
    """
    if half and opening is not None and layout.rests:
        before = opening[module.layer_idx]
        said = HalfAttention.apply(query[0], key[0], value[0], before, layout.rests, scaling)  # type: ignore[no-untyped-call]
        return said.transpose(0, 1).contiguous()[None], None
    groups = query.shape[1] // key.shape[1]
    if opening is not None and half:
        opening[module.layer_idx] = key[0].to(torch.bfloat16), value[0].to(torch.bfloat16)
    if groups > 1:
        key, value = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)
    if opening is not None and not half and not layout.rests:
        opening[module.layer_idx] = key, value
    kept = None if opening is None else opening[module.layer_idx]
    parts = list(_parts(query, key, value, layout, scaling, kept))
    return torch.cat(parts, dim=2).transpose(1, 2).contiguous(), None


def _parts(
    query: Tensor, key: Tensor, value: Tensor, layout: Layout, scaling: float, kept: tuple[Tensor, Tensor] | None
) -> Iterator[Tensor]:
    p = layout.shared
    # split, not slices: the gradient of each slice is a whole tensor of zeros, that of a split is put together once.
    here = p and (kept is None or not layout.rests)
    sizes = [p, *layout.rests] if here else list(layout.rests)
    queries, keys, values = (list(torch.split(tensor, sizes, 2)) for tensor in (query, key, value))
    if here:
        kept = keys.pop(0), values.pop(0)
        yield _causal(queries.pop(0), *kept, scaling)
    for asked, own_key, own_value in zip(queries, keys, values, strict=True):
        if p and kept:
            all_keys, all_values = torch.cat([kept[0], own_key], 2), torch.cat([kept[1], own_value], 2)
            mask = _mask(asked.shape[2], p, query.dtype, query.device)
            yield F.scaled_dot_product_attention(asked, all_keys, all_values, attn_mask=mask, scale=scaling)
        else:
            yield _causal(asked, own_key, own_value, scaling)


@lru_cache(maxsize=64)  # every layer wants the same ones
def _mask(size: int, shared: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """What is added to the scores of a rest: nothing for the opening and what comes before, -inf behind."""
    seen = torch.ones(size, shared + size, dtype=torch.bool, device=device).tril(shared)
    return torch.zeros(size, shared + size, dtype=dtype, device=device).masked_fill_(~seen, float("-inf"))


def _causal(query: Tensor, key: Tensor, value: Tensor, scaling: float) -> Tensor:
    return F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=scaling)


def _no_mask(*_: Any, **__: Any) -> None:
    """The layout says it all."""
