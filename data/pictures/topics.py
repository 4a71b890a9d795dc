"""The topic map: weeks as columns, their topics as boxes, an arrow from what is needed to what builds on it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from data.course import Course, Prerequisite, PrerequisiteChain, find_chain
from data.pictures.canvas import (
    FAINT,
    LEADING,
    LINE,
    POINTS,
    SOFT,
    Canvas,
    choose_ink,
    drawing_style,
    measure_width,
    wrap_text,
)
from data.pictures.topic_grid import BOX, GUTTER, MARGIN, TopicGrid, assign_lanes

NARROWEST = 6.0
TITLE, FOOT, SIZE = 0.62, 0.3, 7.5
STEP = SIZE * LEADING / POINTS
# From dark to light as from near to far, so that the order is seen in grey too.
FILLS = {"asked": "#0f5f59", "direct": "#7cc4bb", "further": "#d8efeb", "other": FAINT}
PLAIN, STRONG, WEAK = "#8795a6", "#0f766e", "#e3e8ee"
"""Arrows: on the whole map, in the chain, outside of it."""


def draw_topic_map(course: Course, week: int | None = None, topic: str | None = None) -> Figure:
    """Draw the whole course; with a week or a topic, what that builds on stands out.

    Raises BundleError for a week or a topic that the course does not have.
    """
    title, asked = "How the topics build on each other", ""
    if week is not None:
        title, asked = f"What week {week} builds on", f"week {week}"
    if topic is not None:
        title, asked = f"What “{topic}” builds on", topic
    chain = find_chain(course, week, topic)
    with drawing_style():
        grid = lay_out_topics(course)
        width = max(NARROWEST, grid.left(course.weeks) - GUTTER + MARGIN)
        drawing = _TopicMap(course, chain, grid, Canvas.blank(width, grid.bottom + FOOT + MARGIN))
        drawing.draw(title, asked)
        return drawing.canvas.figure


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


def lay_out_topics(course: Course) -> TopicGrid:
    """Where the topics of a course stand on its map, and how the arrows run."""
    spots = {topic: (week.number - 1, row) for week in course.plan for row, topic in enumerate(week.topics)}
    arrows = [(spots[edge.needs], spots[edge.topic]) for edge in course.prerequisites]
    routes = assign_lanes(arrows, max(len(week.topics) for week in course.plan))
    head = 1 + max(len(_wrap_title(week.title)) for week in course.plan)
    height = max(len(_wrap_topic(topic)) for topic in spots) * STEP + 0.12
    return TopicGrid(spots, routes, MARGIN + TITLE + head * STEP, height)


@dataclass(frozen=True, slots=True)
class _TopicMap:
    """The map of one course; the topics of `chain` stand out, if there is one."""

    course: Course
    chain: PrerequisiteChain | None
    grid: TopicGrid
    canvas: Canvas

    def draw(self, title: str, asked: str) -> None:
        self.canvas.text(MARGIN, MARGIN + 0.1, title, 12.5, weight="bold")
        self.canvas.text(MARGIN, MARGIN + 0.36, self.course.title, 8, SOFT)
        for number in range(1, self.course.weeks + 1):
            self._draw_head(number)
        for edge in self.course.prerequisites:
            self._draw_arrow(edge)
        for topic in self.grid.spots:
            self._draw_box(topic)
        self._draw_legend(self.grid.bottom + FOOT / 2, asked)

    def _draw_head(self, number: int) -> None:
        x, y = self.grid.left(number - 1) + BOX / 2, MARGIN + TITLE
        self.canvas.text(x, y, f"week {number}", 8, weight="bold", align="center")
        for line, words in enumerate(_wrap_title(self.course.week(number).title), start=1):
            self.canvas.text(x, y + line * STEP, words, SIZE, SOFT, align="center")

    def _draw_box(self, topic: str) -> None:
        column, row = self.grid.spots[topic]
        kind = self._classify(topic)
        x, y = self.grid.left(column), self.grid.box_top(row)
        self.canvas.box(x, y, BOX, self.grid.height, FILLS[kind], _choose_edge(kind))
        color = SOFT if kind == "other" else choose_ink(FILLS[kind])
        self.canvas.lines(x + BOX / 2, y + self.grid.height / 2, _wrap_topic(topic), SIZE, color=color, align="center")

    def _classify(self, topic: str) -> str:
        if self.chain is None:
            return "further"
        kinds = {"asked": self.chain.topics, "direct": self.chain.direct, "further": self.chain.further}
        return next((kind for kind, topics in kinds.items() if topic in topics), "other")

    def _draw_arrow(self, edge: Prerequisite) -> None:
        strong = self.chain is None or self.chain.holds(edge)
        color = PLAIN if self.chain is None else STRONG if strong else WEAK
        look: dict[str, Any] = {"color": color, "linewidth": 1.0 if strong else 0.8, "zorder": 2 if strong else 1}
        style = "-|>,head_length=3.2,head_width=1.7"
        path = self.grid.curve(edge.needs, edge.topic)
        self.canvas.axes.add_patch(FancyArrowPatch(path=path, arrowstyle=style, mutation_scale=1, **look))

    def _draw_legend(self, y: float, asked: str) -> None:
        if self.chain is None:
            self.canvas.text(MARGIN, y, "An arrow leads from a topic to one that builds on it.", SIZE, SOFT)
            return
        legend = {"asked": asked, "direct": "needed for it", "further": "needed before that", "other": "not needed"}
        x = MARGIN
        for kind, words in legend.items():
            self.canvas.box(x, y - 0.07, 0.22, 0.14, FILLS[kind], _choose_edge(kind))
            self.canvas.text(x + 0.3, y, words, SIZE)
            x += 0.6 + measure_width(words, SIZE)


def _choose_edge(kind: str) -> str:
    return LINE if kind == "other" else STRONG


def _wrap_topic(topic: str) -> tuple[str, ...]:
    return wrap_text(topic, BOX - 0.12, SIZE)


def _wrap_title(title: str) -> tuple[str, ...]:
    return wrap_text(title, BOX + GUTTER * 0.6, SIZE)


def _list_topics(course: Course, topics: Collection[str]) -> str:
    return ", ".join(f"{topic} (week {course.week_of(topic)})" for topic in course.topics if topic in topics)
