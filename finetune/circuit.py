"""An initialisation that gives a Llama the copying circuit before the first training step.

Small models learn to copy names and numbers last, and within a laptop's budget not at all. Here two
attention layers are set by hand so that "A B … A" is continued by "B" from the start (an induction circuit),
and so that where several places follow an A, the one whose surroundings are most alike is copied:

1. Dimension 0 of every embedding is a constant, dimensions 1…d-129 tell tokens apart, the last 128 are empty.
2. In layer 0, head 0 attends to the previous token and head 1 softly to those two to six back: queries and keys
   read only the constant and are turned by rotary pairs so that the score peaks there. Both write a
   64-dimensional summary of what they see into the empty dimensions.
3. Two heads of layer 2 hold the current token and its own surroundings against those stored summaries, in the
   slow rotary pairs that hardly turn over a prompt, and copy the token found there to the output. The
   surroundings matter for numbers: before each of them stands the same blank.

All other output projections start at zero, so nothing drowns the circuit. It stays an ordinary Llama.
"""

import math

import torch
from torch import Tensor

from finetune.network import Attention, Network

SPREAD = 0.05
"""Standard deviation of the token dimensions of an embedding."""
CONSTANT = 3 * SPREAD
SUMMARY = 64
RESERVED = 2 * SUMMARY
FAST_PAIRS, SOFT_PAIRS, SLOW_PAIRS = 8, range(1, 10), 15
PREVIOUS_GAIN, SOFT_GAIN, SOFT_CENTRE = 8.0, 3.5, 3.5
MATCH_GAIN, AROUND_GAIN, COPY_GAIN = 3.0, 2.0, 12.0
MATCH_DIMENSIONS = 16
"""Of the 30 slow dimensions of a head, how many compare the token itself; the others its surroundings."""
COPY_LAYER, COPY_HEADS = 2, 4


def token_dimensions(width: int) -> slice:
    """The dimensions of an embedding that tell tokens apart."""
    return slice(1, width - RESERVED)


@torch.no_grad()
def initialise(network: Network, directions: Tensor, seed: int = 0) -> None:
    """Set the weights: random everywhere, the circuit in layers 0 and 2.

    directions: (vocabulary, width - 65), rows of about unit variance per entry, unlike one another; they
    become the token dimensions of both embeddings.
    """
    random = torch.Generator().manual_seed(seed)
    for name, weight in network.named_parameters():
        if weight.dim() == 2:
            silent = name.endswith(("o_proj.weight", "down_proj.weight"))
            weight.copy_(torch.randn(weight.shape, generator=random) * (0.0 if silent else 0.02))
    _set_embeddings(network, directions)
    size = directions.shape[1]
    summary = torch.randn(SUMMARY, size, generator=random) / math.sqrt(size)
    layers = network.model.layers
    first, second = layers[0].self_attn, layers[COPY_LAYER].self_attn
    _look_back(first, 0, summary, PREVIOUS_GAIN, range(FAST_PAIRS), 1.0, 1.0)  # type: ignore[arg-type]
    _look_back(first, 1, summary, SOFT_GAIN, SOFT_PAIRS, SOFT_CENTRE, math.sqrt(5))  # type: ignore[arg-type]
    _match_and_copy(second, summary, random)  # type: ignore[arg-type]  # ModuleList is untyped


def _set_embeddings(network: Network, directions: Tensor) -> None:
    width = network.shape.width
    table = torch.zeros(network.shape.vocabulary, width)
    table[:, token_dimensions(width)] = directions * SPREAD
    network.lm_head.weight.copy_(table)
    table[:, 0] = CONSTANT
    network.model.embed_tokens.weight.copy_(table)


def _look_back(
    attention: Attention, head: int, summary: Tensor, gain: float, pairs: range, distance: float, loudness: float
) -> None:
    """Head `head` attends `distance` tokens back and writes what it sees into the empty dimensions."""
    shape = attention.shape
    half, tokens = shape.head // 2, token_dimensions(shape.width)
    scale = _rms_of_embedding(shape.width)
    q, k, v, o = _weights(attention)
    start = head * shape.head
    span = slice(start, start + shape.head)
    q[span], k[span], v[span] = 0.0, 0.0, 0.0
    read = gain * scale / CONSTANT
    for pair in pairs:
        phase = distance * shape.rope_theta ** (-2 * pair / shape.head)
        q[start + pair, 0] = read
        k[start + pair, 0], k[start + pair + half, 0] = read * math.cos(phase), read * math.sin(phase)
    v[start : start + SUMMARY, tokens] = summary * scale / SPREAD
    written = shape.width - RESERVED + head * SUMMARY
    o[written : written + SUMMARY, start : start + SUMMARY] = torch.eye(SUMMARY) * SPREAD * loudness


def _match_and_copy(attention: Attention, summary: Tensor, random: torch.Generator) -> None:
    shape = attention.shape
    half, tokens = shape.head // 2, token_dimensions(shape.width)
    size = summary.shape[1]
    slow = [half - SLOW_PAIRS + i for i in range(SLOW_PAIRS)]
    slots = torch.tensor(slow + [slot + half for slot in slow])[torch.randperm(2 * SLOW_PAIRS, generator=random)]
    token_slots, around_slots = slots[:MATCH_DIMENSIONS], slots[MATCH_DIMENSIONS:]
    before, around = shape.width - RESERVED, shape.width - SUMMARY
    q, k, v, o = _weights(attention)
    for head in range(COPY_HEADS):
        first = head * shape.head
        span = slice(first, first + shape.head)
        q[span], k[span], v[span] = 0.0, 0.0, 0.0
        rows = torch.arange(head * len(token_slots), (head + 1) * len(token_slots))
        q[first + token_slots, tokens] = MATCH_GAIN * summary[rows]
        k[first + token_slots, before + rows] = MATCH_GAIN
        rows = torch.arange(head * len(around_slots), (head + 1) * len(around_slots))
        q[first + around_slots, around + rows] = AROUND_GAIN
        k[first + around_slots, around + rows] = AROUND_GAIN
        reader = torch.randn(shape.head, size, generator=random) / math.sqrt(size)
        v[span, tokens] = reader
        o[tokens, span] = COPY_GAIN * SPREAD * (size / shape.head) * reader.T / COPY_HEADS


def _weights(attention: Attention) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return tuple(
        getattr(attention, name).weight for name in ("q_proj", "k_proj", "v_proj", "o_proj")
    )


def _rms_of_embedding(width: int) -> float:
    """Root mean square of an embedding as `_set_embeddings` makes it."""
    size = width - RESERVED - 1
    return math.sqrt((CONSTANT**2 + size * SPREAD**2) / width)
