"""Where the boxes of a topic map stand and the curves of its arrows, in inches."""

from collections.abc import Mapping
from dataclasses import dataclass

from matplotlib.path import Path as Curve

from data.pictures.lanes import Lanes, Spot

MARGIN, BOX, GUTTER = 0.2, 1.1, 0.4
GAP, LANE = 0.15, 0.075
"""Height of a gap between rows without lanes, and of each lane."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Grid:
    """Topics at their spots, boxes of one height, and as much room between rows as the lanes need."""

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
        x0, y0 = self.left(start[0]) + BOX, self._middle(start[1])
        x1, y1 = self.left(end[0]), self._middle(end[1])
        lane = self.routes.of.get((start, end))
        if lane is None:
            return _curve((x0, y0), _bend((x0, y0), (x1, y1), self._turn(start[1])))
        y = self.gap_top(lane.gap) + GAP / 2 + LANE * (lane.place + 0.5)
        enter, leave = (self.left(start[0] + 1), y), (self.left(end[0] - 1) + BOX, y)
        out = _bend((x0, y0), enter, self._turn(start[1]))
        back = _bend(leave, (x1, y1), self._turn(lane.gap - 0.5))
        return _curve((x0, y0), out, leave, back)

    def _middle(self, row: int) -> float:
        return self.box_top(row) + self.height / 2

    def _turn(self, row: float) -> float:
        """Where in a gutter, 0 to 1, an arrow from a row turns: each elsewhere, or they would run on one line."""
        return 0.3 + 0.4 * (row + 0.5) / self.rows

    def _within(self, start: Spot, end: Spot) -> Curve:
        """Straight to a neighbour in the column, else round those between, in the gutter on the right."""
        left, down = self.left(start[0]), 1 if end[1] > start[1] else -1
        y0, y1 = self._middle(start[1]), self._middle(end[1])
        if abs(start[1] - end[1]) == 1:
            half = down * self.height / 2
            return Curve([(left + BOX / 2, y0 + half), (left + BOX / 2, y1 - half)], [Curve.MOVETO, Curve.LINETO])
        # Not from the middle of the side, where the arrows to other weeks begin.
        x, aside = left + BOX, down * self.height * 0.3
        out = x + GUTTER * 0.45
        return _curve((x, y0 + aside), [(out, y0 + aside), (out, y1 - aside), (x, y1 - aside)])


def _bend(start: Point, end: Point, turn: float) -> list[Point]:
    """The control points and the end of a curve that leaves and arrives level."""
    x = start[0] + (end[0] - start[0]) * turn
    return [(x, start[1]), (x, end[1]), end]


def _curve(start: Point, out: list[Point], along: Point | None = None, back: list[Point] | None = None) -> Curve:
    bend = [Curve.CURVE4] * 3
    if along is None or back is None:
        return Curve([start, *out], [Curve.MOVETO, *bend])
    return Curve([start, *out, along, *back], [Curve.MOVETO, *bend, Curve.LINETO, *bend])
