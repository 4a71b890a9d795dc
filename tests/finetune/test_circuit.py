"""The initialisation copies before it has learned anything, and an ordinary one does not."""

import pytest
import torch

from finetune.circuit import RESERVED, initialise
from finetune.network import Network, Shape

SHAPE = Shape(vocabulary=2000, hidden=256)


def network(initialised: bool, seed: int) -> Network:
    torch.manual_seed(seed)
    made = Network(SHAPE)
    if initialised:
        initialise(made, torch.randn(SHAPE.vocabulary, SHAPE.width - RESERVED - 1), seed)
    return made


@torch.no_grad()
def copied(made: Network, seed: int) -> float:
    """The share of a random text's second half that is predicted, once the first few tokens are given."""
    draw = torch.Generator().manual_seed(seed)
    right: list[bool] = []
    for _ in range(6):
        before, between = (int(torch.randint(5, 300, (), generator=draw)) for _ in range(2))
        ids = torch.randperm(SHAPE.vocabulary, generator=draw)
        said, rest = ids[:30], ids[30 : 30 + before + between]
        prefix = torch.cat([rest[:before], said])
        tail = torch.cat([rest[before:], said])
        hidden = made(prefix, tail[None])[-len(said) : -1]
        right += (made.lm_head(hidden).argmax(-1) == said[1:]).tolist()
    return sum(right) / len(right)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_circuit_copies_a_random_text_from_any_distance(seed: int) -> None:
    assert copied(network(True, seed), seed) >= 0.85


def test_without_the_circuit_nothing_is_copied() -> None:
    assert copied(network(False, 0), 0) <= 0.05


def test_the_circuit_is_the_same_for_the_same_seed_only() -> None:
    one, same, other = (network(True, seed).model.layers[2].self_attn.q_proj.weight for seed in (3, 3, 4))
    assert torch.equal(one, same) and not torch.equal(one, other)
