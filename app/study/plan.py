"""Who meets which report and model in which order: 36 ways, in squares that stay balanced when people drop out."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

SIZE = 3
"""Reports, models and conversations of a participant."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One way through the study. reports, models: which of the three comes first, second and third, from 0."""

    reports: tuple[int, ...]
    models: tuple[int, ...]


def make_cells(seed: int) -> tuple[Cell, ...]:
    """All 36 ways, in the order in which they are to be filled.

    Each three that follow one another are a Graeco-Latin square: every report and every model once in each place, every
    report once with each model. Each six are two squares that run in opposite directions, so that every report (and
    every model) comes once right after each other one (Williams 1949). The seed shuffles squares and rows.
    """
    chance = random.Random(seed)
    cells: list[Cell] = []
    pairs = [(direction, shift) for direction in (1, -1) for shift in range(SIZE)]
    chance.shuffle(pairs)
    for direction, shift in pairs:
        squares = [_make_square(1, direction, shift), _make_square(-1, -direction, shift)]
        chance.shuffle(squares)
        for square in squares:
            chance.shuffle(square)
            cells += square
    return tuple(cells)


def choose_cell(taken: Sequence[int], cells: int) -> int:
    """The cell for the next participant: of those that fewest have, the first.

    taken: the cells of all who finished or are under way, so that what somebody dropped is filled first.
    """
    return min(range(cells), key=lambda cell: (taken.count(cell), cell))


def _make_square(step: int, other: int, shift: int) -> list[Cell]:
    """Row i has report i + step·j and model shift − step·other·i + other·j in place j, modulo 3.

    The two are orthogonal, since the determinant other + step²·other = 2·other is not 0 modulo 3.
    """
    places = range(SIZE)
    return [
        Cell(
            tuple((row + step * place) % SIZE for place in places),
            tuple((shift - step * other * row + other * place) % SIZE for place in places),
        )
        for row in places
    ]
