"""The importance map of one student: behaviours against weeks, darker where more depends on them."""

import textwrap
from collections.abc import Sequence

from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure

from data.course import Course, Student
from data.pictures.canvas import FAINT, HEAD, LINE, MARGIN, SOFT, Canvas, choose_ink, drawing_style, shrink_text
from data.pictures.influence import NO_DATA, FeatureRow, Influence, Side, WeekCell, find_influence

TITLES = {True: "What would help me pass", False: "What keeps me on the way to passing"}
SAID: dict[tuple[bool, Side], str] = {
    (True, "more"): "more of it would help",
    (True, "less"): "less of it would help",
    (False, "more"): "keep it up",
    (False, "less"): "keep it low",
}
MARKS: dict[Side, str] = {"more": "▲", "less": "▼"}
# Blue and orange stay apart for every kind of colour blindness; in grey the marks tell them apart.
TINTS: dict[Side, LinearSegmentedColormap] = {
    "more": LinearSegmentedColormap.from_list("more", ("#dcebf7", "#12477d")),
    "less": LinearSegmentedColormap.from_list("less", ("#fde8d3", "#a03c04")),
}

LABEL, CELL, ROW, GROUP, WEEKS, LEGEND = 1.52, 0.63, 0.5, 0.32, 0.24, 0.62
NARROWEST = 4.6
KEY = "Darker: weighs more. No mark: not known to matter. class: the middle value of the class."
UNKNOWN = (
    "No possible change of a few study habits was found that would turn your expected result. So there is no map to "
    "draw: any row on it would be a guess.",
    "For some students no such change exists, for instance when the expected result is very clear. It does not mean "
    "that your effort does not count. Your grades so far and your week-by-week values still say how you are doing.",
)


def draw_importance_map(course: Course, student: Student, features: Sequence[str] | None = None) -> Figure:
    """Rows are the features (or all with influence), columns the concluded weeks. Raises UnknownFeature."""
    shown, about = find_influence(course, student, features), f"{course.title} · student {student.id}"
    with drawing_style():
        if shown.groups:
            return _draw_map(course.weeks_done, shown, about)
        words = "\n\n".join(textwrap.fill(paragraph, 70) for paragraph in UNKNOWN)
        canvas = Canvas(
            NARROWEST + 0.3, HEAD + 0.17 * (words.count("\n") + 2), "For me, nothing single stands out", about
        )
        canvas.text(MARGIN, HEAD, words, 8.5, va="top")
        return canvas.figure


def describe_importance(course: Course, student: Student) -> str:
    """The importance map in words, what weighs most first."""
    shown = find_influence(course, student)
    if not shown.groups:
        return " ".join(UNKNOWN)
    listed = "; ".join(_describe_cell(row, cell, SAID[shown.towards_pass, cell.side]) for row, cell in shown.weighing)
    return f"{TITLES[shown.towards_pass]}, what weighs most first: {listed}."


def _describe_cell(row: FeatureRow, cell: WeekCell, what: str) -> str:
    beside = f", class {cell.typical}" if cell.typical is not None else ""
    unit = "" if row.label_has_unit else f" {row.feature.unit}"
    return f"{row.feature.label} in week {cell.week}, {what} (mine {cell.own}{beside}{unit})"


def _draw_map(weeks: int, shown: Influence, about: str) -> Figure:
    rows = sum(map(len, shown.groups.values()))
    width = max(NARROWEST, 2 * MARGIN + LABEL + CELL * weeks)
    height = HEAD + WEEKS + GROUP * len(shown.groups) + ROW * rows + LEGEND
    canvas = Canvas(width, height, TITLES[shown.towards_pass], about)
    for week in range(1, weeks + 1):
        canvas.text(_find_middle(week), HEAD + WEEKS / 2, f"week {week}", color=SOFT, ha="center")
    y = HEAD + WEEKS
    for title, members in shown.groups.items():
        canvas.axes.plot([MARGIN, width - MARGIN], [y + 0.05] * 2, color=LINE, linewidth=0.8)
        canvas.text(MARGIN, y + GROUP - 0.11, title.capitalize(), 9, fontweight="bold")
        y += GROUP
        for row in members:
            unit = "" if row.label_has_unit else f"\n({row.feature.unit})"
            canvas.text(MARGIN, y + ROW / 2, textwrap.fill(row.feature.label, 24) + unit)
            for cell in row.cells:
                _draw_cell(canvas, cell, y)
            y += ROW
    sides = sorted({cell.side for _, cell in shown.weighing}, reverse=True)
    canvas.legend(y + 0.2, {f"{MARKS[side]} {SAID[shown.towards_pass, side]}": _tint(side, 0.75) for side in sides})
    canvas.text(MARGIN, y + 0.43, KEY, 7, SOFT)
    return canvas.figure


def _find_middle(week: int) -> float:
    return MARGIN + LABEL + CELL * (week - 0.5)


def _tint(side: Side, weight: float) -> str:
    return to_hex(TINTS[side](weight))


def _draw_cell(canvas: Canvas, cell: WeekCell, y: float) -> None:
    """The student's value above the class's; with a mark and a colour where it weighs."""
    fill = _tint(cell.side, cell.weight) if cell.weight else FAINT
    color = choose_ink(fill) if cell.weight else SOFT
    own = f"{MARKS[cell.side]} {cell.own}" if cell.weight else cell.own
    look = {"fontweight": "bold" if cell.weight else "normal", "ha": "center"}
    alone = cell.typical is None or (cell.own == NO_DATA and not cell.weight)
    x, room = _find_middle(cell.week), CELL - 0.06
    canvas.box(x - CELL / 2 + 0.02, y + 0.02, CELL - 0.04, ROW - 0.04, fill)
    canvas.text(x, y + ROW * (0.5 if alone else 0.33), own, shrink_text(own, room, 9), color, **look)
    if not alone:
        beside = f"class {cell.typical}"
        canvas.text(x, y + ROW * 0.71, beside, shrink_text(beside, room, 7), color, ha="center")
