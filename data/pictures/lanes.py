"""Where the arrows of a topic map run: between the rows of boxes, never behind one.

Boxes stand on a grid of weeks (columns) and rows. Above row r lies gap r, below the last row one more. An arrow to the
next column goes straight there; a longer one passes the columns between in one gap, on a lane of its own. Arrows from
one topic share a lane.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Spot = tuple[int, int]
"""Column and row, both from 0."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A gap between rows and the place in it, from 0."""

    gap: int
    place: int


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lane of every arrow that needs one, and how many there are in each gap."""

    of: dict[tuple[Spot, Spot], Lane]
    in_gap: tuple[int, ...]


def lanes(arrows: Sequence[tuple[Spot, Spot]], rows: int) -> Lanes:
    """A lane for every arrow that passes a column; the same arrows always get the same lanes."""
    long = sorted(arrow for arrow in set(arrows) if arrow[1][0] - arrow[0][0] > 1)
    used = [0] * (rows + 1)
    gaps: dict[tuple[Spot, Spot], int] = {}
    for arrow in long:
        gaps[arrow] = min(range(rows + 1), key=lambda gap: (_detour(arrow, gap), used[gap], gap))
        used[gaps[arrow]] += 1
    trunks: dict[tuple[int, Spot], int] = {}
    for (start, end), gap in gaps.items():
        trunks[gap, start] = max(end[0], trunks.get((gap, start), 0))
    placed = _placed(trunks, rows)
    in_gap = tuple(1 + max((n for (g, _), n in placed.items() if g == gap), default=-1) for gap in range(rows + 1))
    return Lanes({arrow: Lane(gap, placed[gap, arrow[0]]) for arrow, gap in gaps.items()}, in_gap)


def _detour(arrow: tuple[Spot, Spot], gap: int) -> float:
    """How far up and down an arrow goes in rows; gap g lies half a row above row g."""
    (_, start), (_, end) = arrow
    return abs(gap - 0.5 - start) + abs(gap - 0.5 - end)


def _placed(trunks: dict[tuple[int, Spot], int], rows: int) -> dict[tuple[int, Spot], int]:
    """A place for each (gap, start) that runs up to a column, such that none overlap in one gap."""
    placed: dict[tuple[int, Spot], int] = {}
    for gap in range(rows + 1):
        free: list[int] = []  # by place: the column up to which it is taken
        for key, last in sorted((key, last) for key, last in trunks.items() if key[0] == gap):
            column = key[1][0]
            place = next((n for n, taken in enumerate(free) if taken <= column), len(free))
            free[place : place + 1] = [last]
            placed[key] = place
    return placed
