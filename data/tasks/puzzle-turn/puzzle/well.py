"""The well into which pieces fall."""

from dataclasses import replace

from puzzle.piece import Piece
from puzzle.shifts import SHIFTS


class Well:
    """Blocks that lie already, and the piece that falls."""

    def __init__(self, height: int, width: int, piece: Piece) -> None:
        self.height, self.width = height, width
        self.piece = piece
        self.lying: set[tuple[int, int]] = set()

    def fits(self, piece: Piece) -> bool:
        """Whether all blocks of a piece are inside the well and on none that lies there."""
        return all(
            0 <= row < self.height and 0 <= column < self.width and (row, column) not in self.lying
            for row, column in piece.blocks()
        )

    def turn(self) -> bool:
        """Turn the falling piece clockwise, shifted if need be; False, and all as before, if there is no room."""
        raise NotImplementedError
