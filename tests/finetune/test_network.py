"""The network for training is a Llama: what it computes, and what it learns from, is what transformers has."""

import pytest
import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from finetune.network import Network, Shape

SHAPE = Shape(vocabulary=60, width=128, layers=3, hidden=96, heads=2, context=256)
PREFIX, TAILS, LENGTH = 23, 4, 11


@pytest.fixture(scope="module")
def pair() -> tuple[Network, LlamaForCausalLM]:
    """Our network and transformers' with the same weights, random enough to tell positions apart."""
    torch.manual_seed(0)
    ours, theirs = Network(SHAPE), LlamaForCausalLM(LlamaConfig(**SHAPE.config()))
    with torch.no_grad():
        for name, weight in ours.named_parameters():
            weight.normal_(1.0 if name.endswith("norm.weight") else 0.0, 0.3 if weight.dim() == 1 else 0.15)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs.eval()


@pytest.fixture(scope="module")
def ids() -> tuple[Tensor, Tensor]:
    torch.manual_seed(1)
    return torch.randint(60, (PREFIX,)), torch.randint(60, (TAILS, LENGTH))


def concatenated(prefix: Tensor, tails: Tensor) -> Tensor:
    return torch.cat([prefix.expand(len(tails), -1), tails], dim=1)


def test_prefix_and_tails_give_the_logits_of_the_whole_sequences(
    pair: tuple[Network, LlamaForCausalLM], ids: tuple[Tensor, Tensor]
) -> None:
    ours, theirs = pair
    with torch.no_grad():
        logits = ours.lm_head(ours(*ids))
        wanted = theirs(concatenated(*ids)).logits
    assert wanted.std() > 0.5
    torch.testing.assert_close(logits[:PREFIX], wanted[0, :PREFIX], atol=1e-4, rtol=1e-4)
    tails = logits[PREFIX:].view(TAILS, LENGTH, -1)
    torch.testing.assert_close(tails, wanted[:, PREFIX:], atol=1e-4, rtol=1e-4)


def test_gradients_are_those_of_the_whole_sequences_through_the_prefix_too(
    pair: tuple[Network, LlamaForCausalLM], ids: tuple[Tensor, Tensor]
) -> None:
    ours, theirs = pair
    torch.manual_seed(2)
    of_prefix, of_tails = torch.randn(PREFIX, 60), torch.randn(TAILS, LENGTH, 60)
    ours.zero_grad()
    logits = ours.lm_head(ours(*ids))
    (logits * torch.cat([of_prefix, of_tails.flatten(0, 1)])).sum().backward()
    theirs.zero_grad()
    wanted = theirs(concatenated(*ids)).logits
    ((wanted[0, :PREFIX] * of_prefix).sum() + (wanted[:, PREFIX:] * of_tails).sum()).backward()
    expected = {name: weight.grad for name, weight in theirs.named_parameters()}
    for name, weight in ours.named_parameters():
        assert weight.grad is not None and weight.grad.abs().max() > 1e-3
        torch.testing.assert_close(weight.grad, expected[name], atol=2e-3, rtol=1e-3, msg=name)


def test_what_comes_later_or_in_another_tail_changes_nothing(
    pair: tuple[Network, LlamaForCausalLM], ids: tuple[Tensor, Tensor]
) -> None:
    ours, (prefix, tails) = pair[0], ids
    changed = tails.clone()
    changed[0, 5:] = 0  # as padding does
    changed[2] = 0
    with torch.no_grad():
        before, after = (ours(prefix, each)[PREFIX:].view(TAILS, LENGTH, -1) for each in (tails, changed))
    torch.testing.assert_close(after[0, :5], before[0, :5])
    torch.testing.assert_close(after[[1, 3]], before[[1, 3]])
    assert not torch.allclose(after[0, 5], before[0, 5])
