"""Attention in bf16 says what the exact one says, but for the rounding, forwards and backwards."""

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor

from finetune.lora.half import HalfAttention

HEADS, GROUPS, LENGTH, BEFORE, SIZE = 4, 2, 5, 7, 8


def exact(query: Tensor, key: Tensor, value: Tensor, before: tuple[Tensor, Tensor] | None, scaling: float) -> Tensor:
    keys, values = (
        (torch.cat([b, own], 1) for b, own in zip(before, (key, value), strict=True)) if before else (key, value)
    )
    keys, values = (each.repeat_interleave(HEADS // GROUPS, 0) for each in (keys, values))
    seen = torch.ones(LENGTH, keys.shape[1], dtype=torch.bool).tril(keys.shape[1] - LENGTH)
    return F.scaled_dot_product_attention(query, keys, values, attn_mask=seen, scale=scaling)


@pytest.mark.parametrize("behind", [True, False])
def test_it_gives_the_values_and_gradients_of_the_exact_attention(behind: bool) -> None:
    random = torch.Generator().manual_seed(0)
    query = torch.randn(HEADS, LENGTH, SIZE, generator=random)
    key, value = (torch.randn(GROUPS, LENGTH, SIZE, generator=random) for _ in range(2))
    kept = (torch.randn(GROUPS, BEFORE, SIZE, generator=random), torch.randn(GROUPS, BEFORE, SIZE, generator=random))
    above = torch.randn(HEADS, LENGTH, SIZE, generator=random)
    found = []
    for attend, dtype in ((exact, torch.float32), (HalfAttention.apply, torch.bfloat16)):
        given = [each.clone().requires_grad_() for each in (query, key, value)]
        before = (kept[0].to(dtype), kept[1].to(dtype)) if behind else None
        said = attend(*given, before, 0.3)
        said.backward(above)
        found.append([said.detach(), *(each.grad for each in given)])
    for ours, theirs in zip(*found, strict=True):
        assert ours is not None and theirs is not None
        assert ours.dtype == theirs.dtype and torch.allclose(ours, theirs, atol=0.05)
        assert float(F.cosine_similarity(ours.flatten(), theirs.flatten(), dim=0)) > 0.999
