"""An initialisation that gives a Llama the copying circuit before the first training step.

Small models learn to copy names and numbers last, and within a laptop's budget not at all. Here two
attention layers are set by hand so that "A B … A" is continued by "B" from the start (an induction circuit):

1. Dimension 0 of every embedding is a constant, dimensions 1…d-65 tell tokens apart, the last 64 are empty.
2. Head 0 of layer 0 attends to the previous token: its queries and keys read only the constant and are turned
   by the fast rotary pairs so that the score peaks at distance 1. It writes a 64-dimensional summary of that
   token into the empty dimensions.
3. Two heads of layer 2 compare the current token's summary with those stored summaries, in the slow rotary
   pairs that hardly turn over a prompt, and copy the token found there to the output.

All other output projections start at zero, so nothing drowns the circuit. It stays an ordinary Llama.
"""

import math

import torch
from torch import Tensor

from finetune.network import Attention, Network

SPREAD = 0.05
"""Standard deviation of the token dimensions of an embedding."""
CONSTANT = 3 * SPREAD
RESERVED = 64
FAST_PAIRS, SLOW_PAIRS = 8, 12
PREVIOUS_GAIN, MATCH_GAIN, COPY_GAIN = 8.0, 3.0, 10.0
COPY_LAYER, COPY_HEADS = 2, 2


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
    summary = torch.randn(RESERVED, size, generator=random) / math.sqrt(size)
    layers = network.model.layers
    _attend_to_previous(layers[0].self_attn, summary)  # type: ignore[arg-type]  # ModuleList is untyped
    _match_and_copy(layers[COPY_LAYER].self_attn, summary, random)  # type: ignore[arg-type]


def _set_embeddings(network: Network, directions: Tensor) -> None:
    width = network.shape.width
    table = torch.zeros(network.shape.vocabulary, width)
    table[:, token_dimensions(width)] = directions * SPREAD
    network.lm_head.weight.copy_(table)
    table[:, 0] = CONSTANT
    network.model.embed_tokens.weight.copy_(table)


def _attend_to_previous(attention: Attention, summary: Tensor) -> None:
    shape = attention.shape
    half, tokens = shape.head // 2, token_dimensions(shape.width)
    scale = _rms_of_embedding(shape.width)
    gain = PREVIOUS_GAIN * scale / CONSTANT
    q, k, v, o = _weights(attention)
    q[: shape.head], k[: shape.head], v[: shape.head] = 0.0, 0.0, 0.0
    for pair in range(FAST_PAIRS):
        phase = shape.rope_theta ** (-2 * pair / shape.head)
        q[pair, 0] = gain
        k[pair, 0], k[pair + half, 0] = gain * math.cos(phase), gain * math.sin(phase)
    v[:RESERVED, tokens] = summary * scale / SPREAD
    o[-RESERVED:, :RESERVED] = torch.eye(RESERVED) * SPREAD


def _match_and_copy(attention: Attention, summary: Tensor, random: torch.Generator) -> None:
    shape = attention.shape
    half, tokens = shape.head // 2, token_dimensions(shape.width)
    size = summary.shape[1]
    slow = [half - SLOW_PAIRS + i for i in range(SLOW_PAIRS)]
    slots = torch.tensor(slow + [slot + half for slot in slow])
    q, k, v, o = _weights(attention)
    for head in range(COPY_HEADS):
        rows = torch.arange(head * len(slots), (head + 1) * len(slots))
        first = head * shape.head
        span = slice(first, first + shape.head)
        q[span], k[span] = 0.0, 0.0
        q[first + slots, tokens] = MATCH_GAIN * summary[rows]
        k[first + slots, shape.width - RESERVED + rows] = MATCH_GAIN
        reader = torch.randn(shape.head, size, generator=random) / math.sqrt(size)
        v[span] = 0.0
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
