"""The loss of a bunch: cross entropy, summed over what is learned, with logits for these places only."""

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from finetune.lora.attention import Opening
from finetune.lora.bunches import Bunch, Layout
from finetune.lora.rows import UNLABELLED

AT_ONCE = 1024
"""Places whose logits are held at once; for 128,256 words that is half a gigabyte."""


def summed(network: Any, bunch: Bunch, through_opening: bool = True) -> Tensor:
    """The sum of the losses of a bunch's targets, in float32; divide by the targets of the whole step.

    network: a LlamaForCausalLM whose attention is `finetune.lora.attention`, with or without adapters in it. Most of a
    row is not learned, and its logits, the largest thing in memory, are never made.
    through_opening: whether gradients also flow through what the rows share. Without, it is read once as it stands, for
    a third of its work, and what the adapter learns there it learns from the rests alone.
    """
    shared = bunch.layout.shared
    constant = bool(shared) and not through_opening
    hidden = _behind(network, bunch) if constant else _hidden(network, bunch.ids, bunch.positions, layout=bunch.layout)
    learned = bunch.targets[shared:] if constant else bunch.targets
    places = (learned != UNLABELLED).nonzero()[:, 0]
    wanted, targets = hidden[places], learned[places]
    if len(places) <= AT_ONCE:
        return _entropy(network.lm_head, wanted, targets)
    pairs = zip(torch.split(wanted, AT_ONCE), torch.split(targets, AT_ONCE), strict=True)
    each = [checkpoint(_entropy, network.lm_head, *pair, use_reentrant=False) for pair in pairs]
    return torch.stack(each).sum()


def _behind(network: Any, bunch: Bunch) -> Tensor:
    """The last hidden states of the rests, (S - shared, size), with the opening as a constant."""
    shared, opening = bunch.layout.shared, Opening()
    with torch.no_grad():
        _hidden(network, bunch.ids[:shared], bunch.positions[:shared], layout=Layout(shared, ()), opening=opening)
    return _hidden(network, bunch.ids[shared:], bunch.positions[shared:], layout=bunch.layout, opening=opening)


def _hidden(network: Any, ids: Tensor, positions: Tensor, **kind: Any) -> Tensor:
    """The last hidden states, (S, size), of flat ids."""
    made = network.model(input_ids=ids[None], position_ids=positions[None], use_cache=False, **kind)
    return made.last_hidden_state[0]  # type: ignore[no-any-return]


def _entropy(head: Any, hidden: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(head(hidden).float(), targets, reduction="sum")
