"""The loss of a bunch: cross entropy, summed over what is learned, with logits for these places only."""

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from finetune.lora.bunches import Bunch
from finetune.lora.rows import UNLABELLED

AT_ONCE = 1024
"""Places whose logits are held at once; for 128,256 words that is half a gigabyte."""


def summed(network: Any, bunch: Bunch) -> Tensor:
    """The sum of the losses of a bunch's targets, in float32; divide by the targets of the whole step.

    network: a LlamaForCausalLM whose attention is `finetune.lora.attention`, with or without adapters in it. Most of a
    row is not learned, and its logits, the largest thing in memory, are never made.
    """
    hidden = network.model(
        input_ids=bunch.ids[None], position_ids=bunch.positions[None], use_cache=False, layout=bunch.layout
    ).last_hidden_state[0]
    places = (bunch.targets != UNLABELLED).nonzero()[:, 0]
    wanted, targets = hidden[places], bunch.targets[places]
    if len(places) <= AT_ONCE:
        return _entropy(network.lm_head, wanted, targets)
    pairs = zip(torch.split(wanted, AT_ONCE), torch.split(targets, AT_ONCE), strict=True)
    each = [checkpoint(_entropy, network.lm_head, *pair, use_reentrant=False) for pair in pairs]
    return torch.stack(each).sum()


def _entropy(head: Any, hidden: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(head(hidden).float(), targets, reduction="sum")
