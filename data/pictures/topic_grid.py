"""Where the boxes of a topic map stand and how its arrows run, in inches.

Boxes stand on a grid of weeks (columns) and rows. Above row r lies gap r, below the last row one more. An arrow to the
next column goes straight there. A longer one passes the columns between in one gap, on a lane of its own and never
behind a box. Arrows from one topic share a lane.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.path import Path as Curve

MARGIN, BOX, GUTTER = 0.2, 1.1, 0.4
GAP, LANE = 0.15, 0.075
"""Height of a gap between rows without lanes, and of each lane."""

Point = tuple[float, float]
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


@dataclass(frozen=True, slots=True)
class TopicGrid:
    """Topics at their spots, boxes of one height, and as much room between rows as the lanes need.

    top, height: the upper end of the first gap, and the height of a box.
    """

    spots: Mapping[str, Spot]
    routes: Lanes
    top: float
    height: float

    @property
    def rows(self) -> int:
        """How many topics the fullest week has."""
        return len(self.routes.in_gap) - 1

    @property
    def bottom(self) -> float:
        """The lower end of the last gap."""
        return self.gap_top(self.rows) + self.gap_height(self.rows)

    def left(self, column: int) -> float:
        """The left side of a column's boxes."""
        return MARGIN + column * (BOX + GUTTER)

    def gap_height(self, gap: int) -> float:
        """The room above row `gap`."""
        return GAP + LANE * self.routes.in_gap[gap]

    def gap_top(self, gap: int) -> float:
        """The upper end of a gap."""
        return self.top + sum(self.gap_height(above) for above in range(gap)) + gap * self.height

    def box_top(self, row: int) -> float:
        """The upper side of a row's boxes."""
        return self.gap_top(row) + self.gap_height(row)

    def curve(self, needs: str, topic: str) -> Curve:
        """The way of the arrow from what is needed to what builds on it."""
        start, end = self.spots[needs], self.spots[topic]
        if start[0] == end[0]:
            return self._within(start, end)
        x0, y0 = self.left(start[0]) + BOX, self._centre(start[1])
        x1, y1 = self.left(end[0]), self._centre(end[1])
        lane = self.routes.of.get((start, end))
        if lane is None:
            return _curve((x0, y0), _bend((x0, y0), (x1, y1), self._turn(start[1])))
        y = self.gap_top(lane.gap) + GAP / 2 + LANE * (lane.place + 0.5)
        enter, leave = (self.left(start[0] + 1), y), (self.left(end[0] - 1) + BOX, y)
        out = _bend((x0, y0), enter, self._turn(start[1]))
        back = _bend(leave, (x1, y1), self._turn(lane.gap - 0.5))
        return _curve((x0, y0), out, leave, back)

    def _centre(self, row: int) -> float:
        return self.box_top(row) + self.height / 2

    def _turn(self, row: float) -> float:
        """Where in a gutter, 0 to 1, an arrow from a row turns: each elsewhere, or they would run on one line."""
        return 0.3 + 0.4 * (row + 0.5) / self.rows

    def _within(self, start: Spot, end: Spot) -> Curve:
        """Straight to a neighbour in the column, else round those between, in the gutter on the right."""
        left, down = self.left(start[0]), 1 if end[1] > start[1] else -1
        y0, y1 = self._centre(start[1]), self._centre(end[1])
        if abs(start[1] - end[1]) == 1:
            half = down * self.height / 2
            return Curve([(left + BOX / 2, y0 + half), (left + BOX / 2, y1 - half)], [Curve.MOVETO, Curve.LINETO])
        # Not from the middle of the side, where the arrows to other weeks begin.
        x, aside = left + BOX, down * self.height * 0.3
        out = x + GUTTER * 0.45
        return _curve((x, y0 + aside), [(out, y0 + aside), (out, y1 - aside), (x, y1 - aside)])


def assign_lanes(arrows: Sequence[tuple[Spot, Spot]], rows: int) -> Lanes:
    """A lane for every arrow that passes a column; the same arrows always get the same lanes."""
    long = sorted(arrow for arrow in set(arrows) if arrow[1][0] - arrow[0][0] > 1)
    used = [0] * (rows + 1)
    gaps: dict[tuple[Spot, Spot], int] = {}
    for arrow in long:
        gaps[arrow] = min(range(rows + 1), key=lambda gap: (_measure_detour(arrow, gap), used[gap], gap))
        used[gaps[arrow]] += 1
    trunks: dict[tuple[int, Spot], int] = {}
    for (start, end), gap in gaps.items():
        trunks[gap, start] = max(end[0], trunks.get((gap, start), 0))
    placed = _place_trunks(trunks, rows)
    in_gap = tuple(1 + max((n for (g, _), n in placed.items() if g == gap), default=-1) for gap in range(rows + 1))
    return Lanes({arrow: Lane(gap, placed[gap, arrow[0]]) for arrow, gap in gaps.items()}, in_gap)


def _measure_detour(arrow: tuple[Spot, Spot], gap: int) -> float:
    """How far up and down an arrow goes in rows; gap g lies half a row above row g."""
    (_, start), (_, end) = arrow
    return abs(gap - 0.5 - start) + abs(gap - 0.5 - end)


def _place_trunks(trunks: dict[tuple[int, Spot], int], rows: int) -> dict[tuple[int, Spot], int]:
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


def _bend(start: Point, end: Point, turn: float) -> list[Point]:
    """The control points and the end of a curve that leaves and arrives level."""
    x = start[0] + (end[0] - start[0]) * turn
    return [(x, start[1]), (x, end[1]), end]


def _curve(start: Point, out: list[Point], along: Point | None = None, back: list[Point] | None = None) -> Curve:
    bend = [Curve.CURVE4] * 3
    if along is None or back is None:
        return Curve([start, *out], [Curve.MOVETO, *bend])
    return Curve([start, *out, along, *back], [Curve.MOVETO, *bend, Curve.LINETO, *bend])
