"""The topic map: weeks as columns, topics as boxes, arrows to what builds on them, long ones on lanes of their own."""

import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path as Curve

from data.course import Course, Prerequisite, PrerequisiteChain, find_chain
from data.pictures.canvas import FAINT, HEAD, LINE, MARGIN, SOFT, Canvas, choose_ink, drawing_style

NARROWEST = 6.0
BOX, GUTTER, FOOT, SIZE, STEP = 1.1, 0.4, 0.3, 7.5, 0.137
"""Widths of a box and between boxes, the legend's height, the size of letters in points, the height of a line."""
GAP, LANE = 0.15, 0.075  # Height of a gap between rows without lanes, and of each lane
# From dark to light as from near to far, so that the order is seen in grey too.
FILLS = {"asked": "#0f5f59", "direct": "#7cc4bb", "further": "#d8efeb", "other": FAINT}
PLAIN, STRONG, WEAK = "#8795a6", "#0f766e", "#e3e8ee"
"""Arrows: on the whole map, in the chain, outside of it."""

Point = tuple[float, float]
Spot = tuple[int, int]  # Column and row, both from 0


def draw_topic_map(course: Course, week: int | None = None, topic: str | None = None) -> Figure:
    """Draw the whole course; what a week or a topic builds on stands out. Raises BundleError for an unknown one."""
    chain = find_chain(course, week, topic)
    asked = f"week {week}" if topic is None else f"“{topic}”"
    with drawing_style():
        return TopicMap(course).draw(chain, asked)


def describe_topics(course: Course, week: int | None = None, topic: str | None = None) -> str:
    """The topic map in words. Raises BundleError for a week or a topic that the course does not have."""
    chain = find_chain(course, week, topic)
    if chain is None:
        needs = len({edge.topic for edge in course.prerequisites})
        weeks = "; ".join(f"week {week.number}: {', '.join(week.topics)}" for week in course.plan)
        return f"The topics by week, with arrows to the {needs} that build on earlier ones. {weeks}."
    asked = f"Topic {_list_topics(course, chain.topics)}" if topic is not None else f"Week {week}"
    if not chain.direct:
        return f"{asked} builds on no topic of another week that the course names."
    said = f"{asked} builds on {_list_topics(course, chain.direct)}."
    return f"{said} Before that come {_list_topics(course, chain.further)}." if chain.further else said


def _list_topics(course: Course, topics: Collection[str]) -> str:
    return ", ".join(f"{topic} (week {course.week_of(topic)})" for topic in course.topics if topic in topics)


def assign_lanes(arrows: Iterable[tuple[Spot, Spot]]) -> dict[Spot, int]:
    """The place, from 0, in the gap above its row of each topic's lane, if it needs one; none overlap."""
    reach: dict[Spot, int] = {}
    for start, (column, _) in arrows:
        if column - start[0] > 1:
            reach[start] = max(column, reach.get(start, 0))
    lanes: dict[Spot, int] = {}
    taken = defaultdict[int, list[int]](list)  # for each row and place the column up to which it is taken
    for start in sorted(reach):
        ends = taken[start[1]]
        lanes[start] = next((place for place, end in enumerate(ends) if end <= start[0]), len(ends))
        ends[lanes[start] : lanes[start] + 1] = [reach[start]]
    return lanes


class TopicMap:
    """Where the topics of a course stand, in inches, and how the arrows run."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.spots = {topic: (week.number - 1, row) for week in course.plan for row, topic in enumerate(week.topics)}
        self.lanes = assign_lanes((self.spots[edge.needs], self.spots[edge.topic]) for edge in course.prerequisites)
        self.labels = {topic: textwrap.fill(topic, 16) for topic in self.spots}
        self.titles = {week.number: textwrap.fill(week.title, 21) for week in course.plan}
        self.height = _count_lines(self.labels.values()) * STEP + 0.12
        self.tops: list[float] = []  # The upper side of each row's boxes
        y = HEAD + (1 + _count_lines(self.titles.values())) * STEP
        for row in range(max(len(week.topics) for week in course.plan)):
            lanes = max((1 + place for spot, place in self.lanes.items() if spot[1] == row), default=0)
            self.tops.append(y + GAP + LANE * lanes)
            y = self.tops[row] + self.height

    def left(self, column: int) -> float:
        """The left side of a column's boxes."""
        return MARGIN + column * (BOX + GUTTER)

    def curve(self, needs: str, topic: str) -> Curve:
        """The way of the arrow from what is needed to what builds on it."""
        (column, row), (target, target_row) = self.spots[needs], self.spots[topic]
        start = self.left(column) + BOX, self.tops[row] + self.height / 2
        end = self.left(target), self.tops[target_row] + self.height / 2
        if column == target:
            return self._curve_within(start, end[1])
        turn = 0.3 + 0.4 * (row + 0.5) / len(self.tops)  # each row elsewhere, or their arrows would run on one line
        if target == column + 1:
            return Curve([start, *_bend(start, end, turn)], [Curve.MOVETO, *[Curve.CURVE4] * 3])
        y = self.tops[row] - GAP / 2 - LANE * (self.lanes[column, row] + 0.5)
        enter, leave = (self.left(column + 1), y), (self.left(target - 1) + BOX, y)
        back = _bend(leave, end, 0.3 + 0.4 * row / len(self.tops))
        bend = [Curve.CURVE4] * 3
        return Curve([start, *_bend(start, enter, turn), leave, *back], [Curve.MOVETO, *bend, Curve.LINETO, *bend])

    def _curve_within(self, start: Point, y: float) -> Curve:
        """In the gutter on the right, and not from the middle of the side, where the arrows to other weeks begin."""
        aside = self.height * (0.3 if y > start[1] else -0.3)
        first, last = start[1] + aside, y - aside
        out = start[0] + GUTTER * 0.45
        return Curve(
            [(start[0], first), (out, first), (out, last), (start[0], last)], [Curve.MOVETO, *[Curve.CURVE4] * 3]
        )

    def draw(self, chain: PrerequisiteChain | None, asked: str) -> Figure:
        """The picture; the topics of `chain` stand out, if there is one."""
        title = "How the topics build on each other" if chain is None else f"What {asked} builds on"
        width = max(NARROWEST, self.left(self.course.weeks) - GUTTER + MARGIN)
        bottom = self.tops[-1] + self.height
        canvas = Canvas(width, bottom + GAP + FOOT, title, self.course.title)
        for number, words in self.titles.items():
            x = self.left(number - 1) + BOX / 2
            canvas.text(x, HEAD, f"week {number}", fontweight="bold", ha="center")
            canvas.text(x, HEAD + STEP / 2, words, SIZE, SOFT, ha="center", va="top")
        for edge in self.course.prerequisites:
            self._draw_arrow(canvas, edge, chain)
        for topic in self.spots:
            self._draw_box(canvas, topic, _classify(topic, chain))
        if chain is None:
            canvas.text(MARGIN, bottom + GAP, "An arrow leads from a topic to one that builds on it.", SIZE, SOFT)
        else:
            meanings = asked, "needed for it", "needed before that", "not needed"
            canvas.legend(bottom + GAP, dict(zip(meanings, FILLS.values(), strict=True)))
        return canvas.figure

    def _draw_box(self, canvas: Canvas, topic: str, kind: str) -> None:
        column, row = self.spots[topic]
        x, y = self.left(column), self.tops[row]
        canvas.box(x, y, BOX, self.height, FILLS[kind], LINE if kind == "other" else STRONG)
        color = SOFT if kind == "other" else choose_ink(FILLS[kind])
        canvas.text(x + BOX / 2, y + self.height / 2, self.labels[topic], SIZE, color, ha="center")

    def _draw_arrow(self, canvas: Canvas, edge: Prerequisite, chain: PrerequisiteChain | None) -> None:
        strong = chain is None or chain.holds(edge)
        color = PLAIN if chain is None else STRONG if strong else WEAK
        look: dict[str, Any] = {"color": color, "linewidth": 1.0 if strong else 0.8, "zorder": 2 if strong else 1}
        style = "-|>,head_length=3.2,head_width=1.7"
        path = self.curve(edge.needs, edge.topic)
        canvas.axes.add_patch(FancyArrowPatch(path=path, arrowstyle=style, mutation_scale=1, **look))


def _classify(topic: str, chain: PrerequisiteChain | None) -> str:
    if chain is None:
        return "further"
    kinds = {"asked": chain.topics, "direct": chain.direct, "further": chain.further}
    return next((kind for kind, topics in kinds.items() if topic in topics), "other")


def _count_lines(texts: Iterable[str]) -> int:
    return max(text.count("\n") + 1 for text in texts)


def _bend(start: Point, end: Point, turn: float) -> list[Point]:
    """The control points and the end of a curve that leaves and arrives level."""
    x = start[0] + (end[0] - start[0]) * turn
    return [(x, start[1]), (x, end[1]), end]
