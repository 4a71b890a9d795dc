"""The initialisation copies before it has learned anything, and an ordinary one does not."""

import pytest
import torch
from torch import Tensor

from finetune.circuit import RESERVED, initialise
from finetune.network import Network, Shape

SHAPE = Shape(vocabulary=2000, layers=3, hidden=64)  # the circuit needs no more layers, nor feed-forward blocks
SAID = 30


def network(initialised: bool, seed: int) -> Network:
    torch.manual_seed(seed)
    made = Network(SHAPE)
    if initialised:
        initialise(made, torch.randn(SHAPE.vocabulary, SHAPE.width - RESERVED - 1), seed)
    return made


def text(others: int, draw: torch.Generator) -> Tensor:
    """Words, said at a random place among others, and said again at the end."""
    words = torch.randperm(SHAPE.vocabulary, generator=draw)
    said, rest = words[:SAID], words[SAID : SAID + others]
    place = int(torch.randint(others, (), generator=draw))
    return torch.cat([rest[:place], said, rest[place:], said])


@torch.no_grad()
def copied(made: Network, others: int, seed: int = 0) -> float:
    """The share of words that are predicted when a text is said again, its first word given."""
    draw = torch.Generator().manual_seed(seed)
    tails = torch.stack([text(others, draw) for _ in range(8)])
    prefix = torch.randint(SHAPE.vocabulary, (5,), generator=draw)
    hidden = made(prefix, tails)[len(prefix) :].view(*tails.shape, -1)[:, -SAID:-1]
    right = made.lm_head(hidden).argmax(-1) == tails[:, -SAID + 1 :]
    return float(right.float().mean())


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_text_is_copied_from_anywhere_among_other_words(seed: int) -> None:
    assert copied(network(True, seed), 60, seed) >= 0.7


def test_most_of_a_text_is_copied_over_a_distance_of_hundreds_of_words() -> None:
    assert copied(network(True, 0), 350) >= 0.55


@torch.no_grad()
def told_apart(made: Network, seed: int = 0, rows: int = 8, words: int = 4) -> float:
    """The share of numbers that are predicted when rows of words, a blank and a number come in another order.

    The token before every number is the same blank, so only what stands before it tells which one is meant:
    a guess among the numbers seen is right in one case of `rows`.
    """
    draw = torch.Generator().manual_seed(seed)
    right: list[float] = []
    for _ in range(8):
        said = 100 + torch.randperm(1900, generator=draw)[: rows * words].view(rows, words)
        numbers = torch.randperm(99, generator=draw)[:rows, None]
        lines = torch.cat([said, torch.full_like(numbers, 99), numbers], dim=1)
        tail = torch.cat([lines, lines[torch.randperm(rows, generator=draw)]]).flatten()
        hidden = made(said[0, :3], tail[None])[3:]
        guessed = made.lm_head(hidden).argmax(-1)[:-1].view(-1)
        at = torch.arange(rows * (words + 2) + words, len(tail) - 1, words + 2)
        right.append(float((guessed[at] == tail[at + 1]).float().mean()))
    return sum(right) / len(right)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_stands_around_tells_which_of_many_numbers_is_meant(seed: int) -> None:
    assert told_apart(network(True, seed), seed) >= 0.3  # by guessing 0.125


def test_without_the_circuit_nothing_is_copied() -> None:
    assert copied(network(False, 0), 60) <= 0.05


def test_the_circuit_is_the_same_for_the_same_seed_only() -> None:
    name = "model.layers.2.self_attn.q_proj.weight"
    one, same, other = (network(True, seed).state_dict()[name] for seed in (3, 3, 4))
    assert torch.equal(one, same) and not torch.equal(one, other)
