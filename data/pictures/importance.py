"""The importance map of one student: behaviours against weeks, darker where more depends on them."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from data.course import Course, Student
from data.pictures.canvas import (
    FAINT,
    SOFT,
    Canvas,
    Weight,
    choose_ink,
    drawing_style,
    measure_width,
    mix_colours,
    wrap_text,
)
from data.pictures.influence import NO_DATA, DimensionRows, FeatureRow, Influence, Side, WeekCell, find_influence

TITLES = {True: "What would help me pass", False: "What keeps me on the way to passing"}
SAID: dict[tuple[bool, Side], str] = {
    (True, "more"): "more of it would help",
    (True, "less"): "less of it would help",
    (False, "more"): "keep it up",
    (False, "less"): "keep it low",
}
MARKS: dict[Side, str] = {"more": "▲", "less": "▼"}
# Blue and orange stay apart for every kind of colour blindness; in grey the marks tell them apart.
TINTS: dict[Side, tuple[str, str]] = {"more": ("#dcebf7", "#12477d"), "less": ("#fde8d3", "#a03c04")}

MARGIN, LABEL, CELL, ROW, GROUP = 0.12, 1.52, 0.63, 0.5, 0.32
TITLE, WEEKS, LEGEND = 0.62, 0.24, 0.62
NARROWEST = 4.6
KEY = "Darker: weighs more. No mark: not known to matter. class: the middle value of the class."
UNKNOWN = (
    "No possible change of a few study habits was found that would turn your expected result. So there is no map to "
    "draw: any row on it would be a guess.",
    "For some students no such change exists, for instance when the expected result is very clear. It does not mean "
    "that your effort does not count. Your grades so far and your week-by-week values still say how you are doing.",
)


def draw_importance_map(course: Course, student: Student, features: Sequence[str] | None = None) -> Figure:
    """Draw what weighs in this student's expected result: rows are behaviours, columns the concluded weeks.

    Without `features`, the rows are those with any influence. A student without an explanation gets a picture that
    says so. Raises UnknownFeature for a feature that is not in the catalogue.
    """
    shown = find_influence(course, student, features)
    with drawing_style():
        return _draw_map(course, student, shown) if shown.groups else _draw_nothing(course, student)


def describe_importance(course: Course, student: Student) -> str:
    """The importance map in words, what weighs most first."""
    shown = find_influence(course, student)
    if not shown.groups:
        return " ".join(UNKNOWN)
    pairs = [(row, cell) for group in shown.groups for row in group.rows for cell in row.cells if cell.weight]
    pairs.sort(key=lambda pair: -pair[1].weight)
    listed = "; ".join(_describe_cell(row, cell, SAID[shown.towards_pass, cell.side]) for row, cell in pairs)
    return f"{TITLES[shown.towards_pass]}, what weighs most first: {listed}."


def _draw_map(course: Course, student: Student, shown: Influence) -> Figure:
    rows = sum(len(group.rows) for group in shown.groups)
    width = max(NARROWEST, 2 * MARGIN + LABEL + CELL * course.weeks_done)
    body = GROUP * len(shown.groups) + ROW * rows
    canvas = Canvas.blank(width, MARGIN + TITLE + WEEKS + body + LEGEND + MARGIN)
    _draw_head(canvas, TITLES[shown.towards_pass], course, student)
    y = MARGIN + TITLE
    for week in range(1, course.weeks_done + 1):
        canvas.text(_cell_left(week) + CELL / 2, y + WEEKS / 2, f"week {week}", color=SOFT, align="center")
    y += WEEKS
    for group in shown.groups:
        y = _draw_group(canvas, group, y)
    _draw_legend(canvas, shown, y + 0.1)
    return canvas.figure


def _cell_left(week: int) -> float:
    return MARGIN + LABEL + CELL * (week - 1)


def _draw_head(canvas: Canvas, title: str, course: Course, student: Student) -> None:
    canvas.text(MARGIN, MARGIN + 0.1, title, 12.5, weight="bold")
    below = f"{course.title} · student {student.id}"
    canvas.text(
        MARGIN, MARGIN + 0.36, below, min(8.0, 8.0 * (canvas.width - 2.2 * MARGIN) / measure_width(below, 8)), SOFT
    )


def _draw_group(canvas: Canvas, group: DimensionRows, y: float) -> float:
    canvas.text(MARGIN, y + GROUP - 0.11, group.title, 9, weight="bold")
    canvas.rule(MARGIN, y + 0.05, canvas.width - MARGIN)
    y += GROUP
    for row in group.rows:
        _draw_row(canvas, row, y)
        y += ROW
    return y


def _draw_row(canvas: Canvas, row: FeatureRow, y: float) -> None:
    middle = y + ROW / 2 - (0.0 if row.label_has_unit else 0.055)
    size, label = _wrap_label(row.feature.label)
    height = canvas.lines(MARGIN, middle, label, size)
    if not row.label_has_unit:
        canvas.text(MARGIN, middle + height / 2 + 0.055, row.feature.unit, 7, SOFT)
    for cell in row.cells:
        _draw_cell(canvas, cell, y)


def _wrap_label(words: str) -> tuple[float, tuple[str, ...]]:
    """The label in two lines, and the largest size at which it has no more."""
    sizes = (8.5, 8.0, 7.5, 7.0)
    fits = [size for size in sizes if len(wrap_text(words, LABEL - 0.08, size)) <= 2]
    size = max(fits, default=sizes[-1])
    return size, wrap_text(words, LABEL - 0.08, size)


def _draw_cell(canvas: Canvas, cell: WeekCell, y: float) -> None:
    fill = mix_colours(*TINTS[cell.side], cell.weight) if cell.weight else FAINT
    canvas.box(_cell_left(cell.week) + 0.02, y + 0.02, CELL - 0.04, ROW - 0.04, fill)
    color = choose_ink(fill) if cell.weight else SOFT
    own = f"{MARKS[cell.side]} {cell.own}" if cell.weight else cell.own
    alone = cell.typical is None or (cell.own == NO_DATA and not cell.weight)
    middle, strong = _cell_left(cell.week) + CELL / 2, bool(cell.weight)
    _draw_fitted(canvas, middle, y + ROW * (0.5 if alone else 0.33), own, 9 if strong else 8, color, strong)
    if not alone:
        _draw_fitted(canvas, middle, y + ROW * 0.71, f"class {cell.typical}", 7, color, False)


def _draw_fitted(canvas: Canvas, x: float, y: float, words: str, size: float, color: str, strong: bool) -> None:
    """Text in the middle of a cell, smaller where it would not fit."""
    weight: Weight = "bold" if strong else "normal"
    size = min(size, size * (CELL - 0.08) / measure_width(words, size, weight))
    canvas.text(x, y, words, size, color, weight, "center")


def _draw_legend(canvas: Canvas, shown: Influence, y: float) -> None:
    """What the marks and shades mean, only for the directions that occur."""
    x = MARGIN
    for side in sorted(shown.sides, reverse=True):
        ramp = [mix_colours(*TINTS[side], step / 4) for step in range(5)]
        for number, fill in enumerate(ramp):
            canvas.box(x + 0.13 * number, y + 0.04, 0.13, 0.13, fill, round_by=0.0)
        words = f"{MARKS[side]} {SAID[shown.towards_pass, side]}"
        canvas.text(x + 0.73, y + 0.105, words, 7.5)
        x += 0.73 + measure_width(words, 7.5) + 0.3
    canvas.text(MARGIN, y + 0.33, KEY, 7, SOFT)


def _draw_nothing(course: Course, student: Student) -> Figure:
    """The picture of a student for whom no explanation was found: words, and no map that would be a guess."""
    width = NARROWEST + 0.3
    lines = [line for words in UNKNOWN for line in (*wrap_text(words, width - 2 * MARGIN - 0.15, 8.5), "")][:-1]
    canvas = Canvas.blank(width, MARGIN + TITLE + len(lines) * 0.17 + MARGIN)
    _draw_head(canvas, "For me, nothing single stands out", course, student)
    for number, line in enumerate(lines):
        canvas.text(MARGIN, MARGIN + TITLE + 0.08 + 0.17 * number, line, 8.5)
    return canvas.figure


def _describe_cell(row: FeatureRow, cell: WeekCell, what: str) -> str:
    beside = f", class {cell.typical}" if cell.typical is not None else ""
    unit = "" if row.label_has_unit else f" {row.feature.unit}"
    return f"{row.feature.label} in week {cell.week}, {what} (mine {cell.own}{beside}{unit})"
