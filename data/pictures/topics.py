"""The topic map: weeks as columns, their topics as boxes, an arrow from what is needed to what builds on it."""

from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from data.course import Course, Prerequisite
from data.pictures.chain import Chain, chain_of
from data.pictures.grid import BOX, GUTTER, MARGIN, Grid
from data.pictures.lanes import lanes
from data.pictures.sheet import FAINT, LEADING, LINE, POINTS, SOFT, Sheet, drawing, readable_on, width_of, wrapped

NARROWEST = 6.0
TITLE, FOOT, SIZE = 0.62, 0.3, 7.5
STEP = SIZE * LEADING / POINTS
# From dark to light as from near to far, so that the order is seen in grey too.
FILLS = {"asked": "#0f5f59", "direct": "#7cc4bb", "further": "#d8efeb", "other": FAINT}
PLAIN, STRONG, WEAK = "#8795a6", "#0f766e", "#e3e8ee"
"""Arrows: on the whole map, in the chain, outside of it."""


def topic_map(course: Course, week: int | None = None, topic: str | None = None) -> Figure:
    """Draw the whole course; with a week or a topic, what that builds on stands out.

    Raises BundleError for a week or a topic that the course does not have.
    """
    title, asked = "How the topics build on each other", ""
    if week is not None:
        title, asked = f"What week {week} builds on", f"week {week}"
    if topic is not None:
        title, asked = f"What “{topic}” builds on", topic
    shown = chain_of(course, week, topic)
    with drawing():
        return _Map(course, shown, asked).drawn(title)


def map_grid(course: Course) -> Grid:
    """Where the topics of a course stand on its map, and how the arrows run."""
    spots = {topic: (week.number - 1, row) for week in course.plan for row, topic in enumerate(week.topics)}
    arrows = [(spots[edge.needs], spots[edge.topic]) for edge in course.prerequisites]
    routes = lanes(arrows, max(len(week.topics) for week in course.plan))
    head = 1 + max(len(_title(week.title)) for week in course.plan)
    height = max(len(_lines(topic)) for topic in spots) * STEP + 0.12
    return Grid(spots, routes, MARGIN + TITLE + head * STEP, height)


@dataclass(frozen=True, slots=True)
class _Map:
    """The map of one course; `asked` names the chain that stands out, if any."""

    course: Course
    chain: Chain | None
    asked: str

    def drawn(self, title: str) -> Figure:
        grid = map_grid(self.course)
        width = max(NARROWEST, grid.left(self.course.weeks) - GUTTER + MARGIN)
        sheet = Sheet.blank(width, grid.bottom + FOOT + MARGIN)
        sheet.text(MARGIN, MARGIN + 0.1, title, 12.5, weight="bold")
        sheet.text(MARGIN, MARGIN + 0.36, self.course.title, 8, SOFT)
        for number in range(1, self.course.weeks + 1):
            self._head(sheet, grid, number)
        for edge in self.course.prerequisites:
            self._arrow(sheet, grid, edge)
        for topic in grid.spots:
            self._box(sheet, grid, topic)
        self._legend(sheet, grid.bottom + FOOT / 2)
        return sheet.figure

    def _head(self, sheet: Sheet, grid: Grid, number: int) -> None:
        x, y = grid.left(number - 1) + BOX / 2, MARGIN + TITLE
        sheet.text(x, y, f"week {number}", 8, weight="bold", align="center")
        for line, words in enumerate(_title(self.course.week(number).title), start=1):
            sheet.text(x, y + line * STEP, words, SIZE, SOFT, align="center")

    def _kind(self, topic: str) -> str:
        if self.chain is None:
            return "further"
        kinds = {"asked": self.chain.asked, "direct": self.chain.direct, "further": self.chain.further}
        return next((kind for kind, topics in kinds.items() if topic in topics), "other")

    def _box(self, sheet: Sheet, grid: Grid, topic: str) -> None:
        column, row = grid.spots[topic]
        kind = self._kind(topic)
        x, y = grid.left(column), grid.box_top(row)
        sheet.box(x, y, BOX, grid.height, FILLS[kind], _edge(kind))
        color = SOFT if kind == "other" else readable_on(FILLS[kind])
        sheet.lines(x + BOX / 2, y + grid.height / 2, _lines(topic), SIZE, color=color, align="center")

    def _arrow(self, sheet: Sheet, grid: Grid, edge: Prerequisite) -> None:
        strong = self.chain is None or self.chain.holds(edge)
        color = PLAIN if self.chain is None else STRONG if strong else WEAK
        look: dict[str, Any] = {"color": color, "linewidth": 1.0 if strong else 0.8, "zorder": 2 if strong else 1}
        style = "-|>,head_length=3.2,head_width=1.7"
        path = grid.curve(edge.needs, edge.topic)
        sheet.axes.add_patch(FancyArrowPatch(path=path, arrowstyle=style, mutation_scale=1, **look))

    def _legend(self, sheet: Sheet, y: float) -> None:
        if self.chain is None:
            sheet.text(MARGIN, y, "An arrow leads from a topic to one that builds on it.", SIZE, SOFT)
            return
        told = {"asked": self.asked, "direct": "needed for it", "further": "needed before that", "other": "not needed"}
        x = MARGIN
        for kind, words in told.items():
            sheet.box(x, y - 0.07, 0.22, 0.14, FILLS[kind], _edge(kind))
            sheet.text(x + 0.3, y, words, SIZE)
            x += 0.6 + width_of(words, SIZE)


def _edge(kind: str) -> str:
    return LINE if kind == "other" else STRONG


def _lines(topic: str) -> tuple[str, ...]:
    return wrapped(topic, BOX - 0.12, SIZE)


def _title(title: str) -> tuple[str, ...]:
    return wrapped(title, BOX + GUTTER * 0.6, SIZE)
