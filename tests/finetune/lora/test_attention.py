"""Attention in bf16 says what the exact one says, but for the rounding, forwards and backwards."""

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor

from finetune.lora.attention import HalfAttention

HEADS, GROUPS, BEFORE, SIZE = 4, 2, 7, 8
SUFFIXES = (5, 3)


def exact(query: Tensor, key: Tensor, value: Tensor, before: tuple[Tensor, Tensor], scaling: float) -> Tensor:
    said = []
    for asked, *own in zip(*(torch.split(each, list(SUFFIXES), 1) for each in (query, key, value)), strict=True):
        keys, values = (
            torch.cat(pair, 1).repeat_interleave(HEADS // GROUPS, 0) for pair in zip(before, own, strict=True)
        )
        seen = torch.ones(asked.shape[1], keys.shape[1], dtype=torch.bool).tril(BEFORE)
        said.append(F.scaled_dot_product_attention(asked, keys, values, attn_mask=seen, scale=scaling))
    return torch.cat(said, 1)


def half(query: Tensor, key: Tensor, value: Tensor, before: tuple[Tensor, Tensor], scaling: float) -> Tensor:
    kept = before[0].to(torch.bfloat16), before[1].to(torch.bfloat16)
    said: Tensor = HalfAttention.apply(query, key, value, kept, SUFFIXES, scaling)  # type: ignore[no-untyped-call]
    return said


def test_it_gives_the_values_and_gradients_of_the_exact_attention_row_by_row() -> None:
    random = torch.Generator().manual_seed(0)
    query, above = (torch.randn(HEADS, sum(SUFFIXES), SIZE, generator=random) for _ in range(2))
    key, value = (torch.randn(GROUPS, sum(SUFFIXES), SIZE, generator=random) for _ in range(2))
    before = (torch.randn(GROUPS, BEFORE, SIZE, generator=random), torch.randn(GROUPS, BEFORE, SIZE, generator=random))
    found = []
    for attend in (exact, half):
        one, other, third = (each.clone().requires_grad_() for each in (query, key, value))
        said = attend(one, other, third, before, 0.3)
        said.backward(above)  # type: ignore[no-untyped-call]
        found.append([said.detach(), one.grad, other.grad, third.grad])
    for theirs, ours in zip(*found, strict=True):
        assert ours is not None and theirs is not None
        assert ours.dtype == theirs.dtype and torch.allclose(ours, theirs, atol=0.05)
        assert float(F.cosine_similarity(ours.flatten(), theirs.flatten(), dim=0)) > 0.999
