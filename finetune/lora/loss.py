"""The loss of a packed batch: cross entropy, summed over what is learned, with logits for these places only.

The head is not trained, so the gradient of the hidden states is made where the logits are, a few places at a time:
two products instead of three, and the logits, the largest thing in memory, are never kept.
"""

from typing import Any

import torch
from torch import Tensor

from finetune.examples.rows import UNLABELLED
from finetune.lora.attention import PrefixCache
from finetune.lora.batches import PackedBatch, PackLayout

AT_ONCE = 256
"""Places whose logits are held at once; for 128,256 words that is an eighth of a gigabyte."""

TINY = 1e-30
"""The least share whose logarithm is taken: a loss of 69 and no more."""
HALF_HEAD = "head_in_bf16"
"""The attribute of a network that keeps its head in bf16 beside the trained precision (`finetune.lora.products`).

Attention to a constant prefix is then in bf16 too.
"""


class CrossEntropy(torch.autograd.Function):
    """The summed cross entropy of a frozen head's logits, computed with its gradient a few places at a time."""

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, head: Tensor, targets: Tensor) -> Tensor:
        """hidden: (N, size), head: (words, size) in the type to multiply in, targets: (N,); returns a scalar."""
        wanted = ctx.needs_input_grad[0]
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        gradients = []
        for states, right in zip(torch.split(hidden, AT_ONCE), torch.split(targets, AT_ONCE), strict=True):
            shares = (states.to(head.dtype) @ head.t()).float().softmax(1)
            found = shares.gather(1, right[:, None])
            total -= found.clamp_min(TINY).log().sum()
            if wanted:
                shares.scatter_(1, right[:, None], found - 1.0)
                gradients.append((shares.to(head.dtype) @ head).to(hidden.dtype))
        ctx.save_for_backward(*gradients)
        return total

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, None, None]:
        """The gradient of the hidden states."""
        return torch.cat(ctx.saved_tensors) * above[0], None, None


def sum_loss(network: Any, batch: PackedBatch, through_prefix: bool = True) -> Tensor:
    """The sum of the losses of a batch's targets, in float32; divide by the targets of the whole step.

    network: a LlamaForCausalLM whose attention is `finetune.lora.attention`. through_prefix: whether gradients also
    flow through what the rows share; without, it is read once as it stands, for a third of its work.
    """
    shared = batch.layout.shared
    constant = bool(shared) and not through_prefix
    if constant:
        hidden, targets = _run_suffixes(network, batch), batch.targets[shared:]
    else:
        hidden, targets = _hidden(network, batch.ids, batch.positions, layout=batch.layout), batch.targets
    places = (targets != UNLABELLED).nonzero()[:, 0]
    return CrossEntropy.apply(hidden[places], _head(network), targets[places])  # type: ignore[no-any-return, no-untyped-call]


def _run_suffixes(network: Any, batch: PackedBatch) -> Tensor:
    """The last hidden states of the suffixes, (S - shared, size), with the prefix as a constant."""
    shared, kind = batch.layout.shared, {"prefix": PrefixCache(), "half": hasattr(network, HALF_HEAD)}
    with torch.no_grad():
        _hidden(network, batch.ids[:shared], batch.positions[:shared], layout=PackLayout(shared, ()), **kind)
    return _hidden(network, batch.ids[shared:], batch.positions[shared:], layout=batch.layout, **kind)


def _hidden(network: Any, ids: Tensor, positions: Tensor, **kind: Any) -> Tensor:
    """The last hidden states, (S, size), of flat ids."""
    made = network.model(input_ids=ids[None], position_ids=positions[None], use_cache=False, **kind)
    return made.last_hidden_state[0]  # type: ignore[no-any-return]


def _head(network: Any) -> Tensor:
    """The head's matrix in the type to multiply in: bf16 where the pass is in it, or where such a head is kept."""
    weight: Tensor = network.lm_head.weight
    kind = weight.device.type
    if torch.is_autocast_enabled(kind):
        return weight.to(torch.get_autocast_dtype(kind))
    kept: Tensor = getattr(network, HALF_HEAD, weight)
    return kept
