"""Pieces."""

from dataclasses import dataclass

Shape = tuple[tuple[int, ...], ...]
"""Rows from top to bottom: 1 for a block, 0 for none."""


@dataclass
class Piece:
    """A shape and the place of its upper left corner; rows count downwards from 0."""

    shape: Shape
    row: int
    column: int

    def blocks(self) -> set[tuple[int, int]]:
        """Row and column of each block."""
        return {
            (self.row + down, self.column + right)
            for down, line in enumerate(self.shape)
            for right, block in enumerate(line)
            if block
        }
