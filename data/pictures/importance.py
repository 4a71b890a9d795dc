"""The importance map of one student: behaviours against weeks, darker where more depends on them."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from data.course import Course, Student
from data.pictures.influence import NO_DATA, Cell, Group, Influence, Row, Side, influence
from data.pictures.sheet import FAINT, SOFT, Sheet, Weight, drawing, mixed, readable_on, width_of, wrapped

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


def importance_map(course: Course, student: Student, features: Sequence[str] | None = None) -> Figure:
    """Draw what weighs in this student's expected result: rows are behaviours, columns the concluded weeks.

    Without `features`, the rows are those with any influence. A student without an explanation gets a picture that
    says so. Raises UnknownFeature for a feature that is not in the catalogue.
    """
    shown = influence(course, student, features)
    with drawing():
        return _map(course, student, shown) if shown.groups else _nothing_known(course, student)


def _map(course: Course, student: Student, shown: Influence) -> Figure:
    rows = sum(len(group.rows) for group in shown.groups)
    width = max(NARROWEST, 2 * MARGIN + LABEL + CELL * course.weeks_done)
    body = GROUP * len(shown.groups) + ROW * rows
    sheet = Sheet.blank(width, MARGIN + TITLE + WEEKS + body + LEGEND + MARGIN)
    _head(sheet, TITLES[shown.towards_pass], course, student)
    y = MARGIN + TITLE
    for week in range(1, course.weeks_done + 1):
        sheet.text(_left(week) + CELL / 2, y + WEEKS / 2, f"week {week}", color=SOFT, align="center")
    y += WEEKS
    for group in shown.groups:
        y = _group(sheet, group, y)
    _legend(sheet, shown, y + 0.1)
    return sheet.figure


def _left(week: int) -> float:
    return MARGIN + LABEL + CELL * (week - 1)


def _head(sheet: Sheet, title: str, course: Course, student: Student) -> None:
    sheet.text(MARGIN, MARGIN + 0.1, title, 12.5, weight="bold")
    below = f"{course.title} · student {student.id}"
    sheet.text(MARGIN, MARGIN + 0.36, below, min(8.0, 8.0 * (sheet.width - 2.2 * MARGIN) / width_of(below, 8)), SOFT)


def _group(sheet: Sheet, group: Group, y: float) -> float:
    sheet.text(MARGIN, y + GROUP - 0.11, group.title, 9, weight="bold")
    sheet.rule(MARGIN, y + 0.05, sheet.width - MARGIN)
    y += GROUP
    for row in group.rows:
        _row(sheet, row, y)
        y += ROW
    return y


def _row(sheet: Sheet, row: Row, y: float) -> None:
    middle = y + ROW / 2 - (0.0 if row.unit_told else 0.055)
    size, label = _label(row.feature.label)
    height = sheet.lines(MARGIN, middle, label, size)
    if not row.unit_told:
        sheet.text(MARGIN, middle + height / 2 + 0.055, row.feature.unit, 7, SOFT)
    for cell in row.cells:
        _cell(sheet, cell, y)


def _label(words: str) -> tuple[float, tuple[str, ...]]:
    """The label in two lines, and the largest size at which it has no more."""
    sizes = (8.5, 8.0, 7.5, 7.0)
    fits = [size for size in sizes if len(wrapped(words, LABEL - 0.08, size)) <= 2]
    size = max(fits, default=sizes[-1])
    return size, wrapped(words, LABEL - 0.08, size)


def _cell(sheet: Sheet, cell: Cell, y: float) -> None:
    fill = mixed(*TINTS[cell.side], cell.weight) if cell.weight else FAINT
    sheet.box(_left(cell.week) + 0.02, y + 0.02, CELL - 0.04, ROW - 0.04, fill)
    color = readable_on(fill) if cell.weight else SOFT
    own = f"{MARKS[cell.side]} {cell.own}" if cell.weight else cell.own
    alone = cell.typical is None or (cell.own == NO_DATA and not cell.weight)
    middle, strong = _left(cell.week) + CELL / 2, bool(cell.weight)
    _fitted(sheet, middle, y + ROW * (0.5 if alone else 0.33), own, 9 if strong else 8, color, strong)
    if not alone:
        _fitted(sheet, middle, y + ROW * 0.71, f"class {cell.typical}", 7, color, False)


def _fitted(sheet: Sheet, x: float, y: float, words: str, size: float, color: str, strong: bool) -> None:
    """Text in the middle of a cell, smaller where it would not fit."""
    weight: Weight = "bold" if strong else "normal"
    size = min(size, size * (CELL - 0.08) / width_of(words, size, weight))
    sheet.text(x, y, words, size, color, weight, "center")


def _legend(sheet: Sheet, shown: Influence, y: float) -> None:
    """What the marks and shades mean, only for the directions that occur."""
    x = MARGIN
    for side in sorted(shown.sides, reverse=True):
        ramp = [mixed(*TINTS[side], step / 4) for step in range(5)]
        for number, fill in enumerate(ramp):
            sheet.box(x + 0.13 * number, y + 0.04, 0.13, 0.13, fill, round_by=0.0)
        words = f"{MARKS[side]} {SAID[shown.towards_pass, side]}"
        sheet.text(x + 0.73, y + 0.105, words, 7.5)
        x += 0.73 + width_of(words, 7.5) + 0.3
    sheet.text(MARGIN, y + 0.33, KEY, 7, SOFT)


def _nothing_known(course: Course, student: Student) -> Figure:
    """The picture of a student for whom no explanation was found: words, and no map that would be a guess."""
    width = NARROWEST + 0.3
    lines = [line for words in UNKNOWN for line in (*wrapped(words, width - 2 * MARGIN - 0.15, 8.5), "")][:-1]
    sheet = Sheet.blank(width, MARGIN + TITLE + len(lines) * 0.17 + MARGIN)
    _head(sheet, "For me, nothing single stands out", course, student)
    for number, line in enumerate(lines):
        sheet.text(MARGIN, MARGIN + TITLE + 0.08 + 0.17 * number, line, 8.5)
    return sheet.figure
