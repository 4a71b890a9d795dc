"""Many samples in one pass: what they begin with in common is computed once.

The turns of a dialogue share the task and all that was said before, so their samples form a tree of tokens. A token
attends to what stands above it, at the position that it has in its own sample: the numbers are those of one sample at a
time, of which a tree of a dialogue computes about a quarter of the tokens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finetune.verifier.samples import TurnSample
from scribe.verify.value_head import Pooling

EncodedSample = tuple[list[int], list[int]]
"""The ids of what is given, and of the turn."""


@dataclass(frozen=True, slots=True)
class TokenTree:
    """A tree of S tokens for N samples.

    ids, positions: (S,). sees: (S, S), whether a token (row) attends to another. means: (N, S), the weights with which
    the hidden states are averaged for each sample.
    """

    ids: NDArray[np.int64]
    positions: NDArray[np.int64]
    sees: NDArray[np.bool_]
    means: NDArray[np.float32]


def grow_tree(encoded: Sequence[EncodedSample], pooling: Pooling) -> TokenTree:
    """The tree of some samples, none of which is empty."""
    children: dict[tuple[int, int], int] = {}
    ids, positions, above = list[int](), list[int](), list[int]()
    paths = list[list[int]]()
    for before, after in encoded:
        path, node = list[int](), -1
        for depth, token in enumerate((*before, *after)):
            if (node, token) not in children:
                children[node, token] = len(ids)
                ids.append(token)
                positions.append(depth)
                above.append(node)
            node = children[node, token]
            path.append(node)
        paths.append(path)
    sees = np.zeros((len(ids), len(ids)), dtype=np.bool_)
    for node, parent in enumerate(above):
        if parent >= 0:
            sees[node] = sees[parent]
        sees[node, node] = True
    means = np.zeros((len(encoded), len(ids)), dtype=np.float32)
    for row, (path, (before, _)) in enumerate(zip(paths, encoded, strict=True)):
        pooled = path if pooling == "all" else path[len(before) :]
        means[row, pooled] = 1.0 / len(pooled)
    return TokenTree(np.array(ids), np.array(positions), sees, means)


def group_by_dialogue(samples: Sequence[TurnSample]) -> Iterator[list[TurnSample]]:
    """The samples of each dialogue together, in the order in which the dialogues come first."""
    found: dict[int, list[TurnSample]] = {}
    for sample in samples:
        found.setdefault(sample.dialogue, []).append(sample)
    yield from found.values()
