"""The loss of a bunch: cross entropy, summed over what is learned, with logits for these places only.

The head is not trained, so the gradient of the hidden states is made where the logits are, a few places at a time:
two products instead of three, and the logits, the largest thing in memory, are never kept.
"""

from typing import Any

import torch
from torch import Tensor

from finetune.lora.attention import Opening
from finetune.lora.bunches import Bunch, Layout
from finetune.lora.rows import UNLABELLED

AT_ONCE = 256
"""Places whose logits are held at once; for 128,256 words that is an eighth of a gigabyte."""

TINY = 1e-30
"""The least share whose logarithm is taken: a loss of 69 and no more."""
HALF_HEAD = "head_in_bf16"
"""The attribute of a network that keeps its head in bf16 beside the trained precision (`finetune.lora.products`).

Attention to a constant opening is then in bf16 too.
"""


class CrossEntropy(torch.autograd.Function):
    """The summed cross entropy of a frozen head's logits, computed with its gradient a few places at a time."""

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, head: Tensor, targets: Tensor, worth: Tensor) -> Tensor:
        """hidden: (N, size), head: (words, size) in the type to multiply in, targets: (N,) and what each counts, (N,);
        returns a scalar.
        """
        wanted = ctx.needs_input_grad[0]
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        gradients = []
        for states, right, counts in zip(
            *(torch.split(each, AT_ONCE) for each in (hidden, targets, worth)), strict=True
        ):
            shares = (states.to(head.dtype) @ head.t()).float().softmax(1)
            found = shares.gather(1, right[:, None])
            total -= (counts[:, None] * found.clamp_min(TINY).log()).sum()
            if wanted:
                shares.scatter_(1, right[:, None], found - 1.0).mul_(counts[:, None])
                gradients.append((shares.to(head.dtype) @ head).to(hidden.dtype))
        ctx.save_for_backward(*gradients)
        return total

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, None, None, None]:
        """The gradient of the hidden states."""
        return torch.cat(ctx.saved_tensors) * above[0], None, None, None


def summed(network: Any, bunch: Bunch, through_opening: bool = True, worth: Tensor | None = None) -> Tensor:
    """The sum of the losses of a bunch's targets, in float32; divide by the targets of the whole step.

    network: a LlamaForCausalLM whose attention is `finetune.lora.attention`, with or without adapters in it. Most of a
    row is not learned, and its logits are never made.
    through_opening: whether gradients also flow through what the rows share. Without, it is read once as it stands, for
    a third of its work, and what the adapter learns there it learns from the rests alone.
    worth: what each word of the vocabulary counts as a target, (words,); all the same without.
    """
    shared = bunch.layout.shared
    constant = bool(shared) and not through_opening
    hidden = _behind(network, bunch) if constant else _hidden(network, bunch.ids, bunch.positions, layout=bunch.layout)
    learned = bunch.targets[shared:] if constant else bunch.targets
    places = (learned != UNLABELLED).nonzero()[:, 0]
    wanted, targets = hidden[places], learned[places]
    counts = worth[targets] if worth is not None else torch.ones(len(targets), device=targets.device)
    return CrossEntropy.apply(wanted, _head(network), targets, counts)  # type: ignore[no-any-return, no-untyped-call]


def _behind(network: Any, bunch: Bunch) -> Tensor:
    """The last hidden states of the rests, (S - shared, size), with the opening as a constant."""
    shared, kind = bunch.layout.shared, {"opening": Opening(), "half": hasattr(network, HALF_HEAD)}
    with torch.no_grad():
        _hidden(network, bunch.ids[:shared], bunch.positions[:shared], layout=Layout(shared, ()), **kind)
    return _hidden(network, bunch.ids[shared:], bunch.positions[shared:], layout=bunch.layout, **kind)


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
