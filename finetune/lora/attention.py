"""Attention over a bunch: the shared opening to itself, and each row's rest to the opening and itself.

Given to transformers as an attention implementation. One masked attention over the whole sequence would compute the
same, but most of its work would be between rows that must not see each other.
"""

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface

from finetune.lora.bunches import Layout

NAME = "scribe_bunch"


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
    **_: Any,
) -> tuple[Tensor, None]:
    """query: (1, heads, S, size), key and value: (1, key heads, S, size); returns (1, S, heads, size).

    Weights are not dropped out: no Llama was trained so.
    """
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)
    parts = list(_parts(query, key, value, layout, scaling))
    return torch.cat(parts, dim=2).transpose(1, 2).contiguous(), None


def _parts(query: Tensor, key: Tensor, value: Tensor, layout: Layout, scaling: float) -> Iterator[Tensor]:
    p = layout.shared
    if p:
        first = slice(0, p)
        yield _causal(query[:, :, first], key[:, :, first], value[:, :, first], scaling)
    start = p
    for size in layout.rests:
        end = start + size
        asked = query[:, :, start:end]
        if p:
            keys, values = (torch.cat([tensor[:, :, :p], tensor[:, :, start:end]], 2) for tensor in (key, value))
            mask = torch.ones(size, p + size, dtype=torch.bool, device=query.device).tril(p)
            yield F.scaled_dot_product_attention(asked, keys, values, attn_mask=mask, scale=scaling)
        else:
            yield _causal(asked, key[:, :, start:end], value[:, :, start:end], scaling)
        start = end


def _causal(query: Tensor, key: Tensor, value: Tensor, scaling: float) -> Tensor:
    return F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=scaling)


def _no_mask(*_: Any, **__: Any) -> None:
    """The layout says it all."""
