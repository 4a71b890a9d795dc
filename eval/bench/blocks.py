"""Random weights as llama.cpp stores them, written block by block without ever holding a number per weight.

The values are scaled so that a product with a row has about the variance of what goes in: logits stay finite.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from gguf import GGMLQuantizationType
from numpy.typing import NDArray

CHUNK = 64_000_000
"""Bytes made at a time."""

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Format:
    """Blocks of `weights` numbers in `size` bytes: random ones, then `put` sets the scale of each block.

    spread: standard deviation of a weight whose block has scale 1.
    """

    kind: GGMLQuantizationType
    weights: int
    size: int
    spread: float
    put: Callable[[Bytes, Bytes], None]

    def row_bytes(self, width: int) -> int:
        """Bytes of a row of so many weights. Raises ValueError if they are no whole blocks."""
        if width % self.weights:
            raise ValueError(f"{width} weights are no whole blocks of {self.weights}")
        return width // self.weights * self.size

    def rows(self, shape: tuple[int, int], random: np.random.Generator) -> Iterator[Bytes]:
        """The bytes of a matrix (rows, width), some rows (n, bytes) at a time."""
        count, width = shape
        each = self.row_bytes(width)
        scale = np.array([1 / (self.spread * width**0.5)], "<f2").view(np.uint8)
        while count:
            now = min(count, max(1, CHUNK // each))
            made = np.frombuffer(random.bytes(now * each), np.uint8).reshape(-1, self.size).copy()
            self.put(made, scale)
            yield made.reshape(now, each)
            count -= now


def _in_front(blocks: Bytes, scale: Bytes) -> None:
    blocks[:, :2] = scale


def _behind(blocks: Bytes, scale: Bytes) -> None:
    """Q6_K: sixteen signed scales of sixteen weights each, then that of the block."""
    blocks[:, -18:-2] = 1
    blocks[:, -2:] = scale


Q8_0 = Format(GGMLQuantizationType.Q8_0, 32, 34, 73.9, _in_front)  # whole numbers from -128 to 127
Q4_0 = Format(GGMLQuantizationType.Q4_0, 32, 18, 4.61, _in_front)  # from -8 to 7
Q6_K = Format(GGMLQuantizationType.Q6_K, 256, 210, 18.5, _behind)  # from -32 to 31
