"""Who takes part: the grades of the current run and the outcomes of an earlier one.

    grades.csv     student,item,score      a row per student and graded item, score empty: none (yet)
    outcomes.csv   student,outcome         a row per student, pass or fail

grades.csv is the list of who is enrolled: clicks by others (staff, visitors) are left out, and a student
with nothing graded yet has rows without a score.
"""

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from data.build.ids import Ids
from data.build.rows import read_rows
from data.build.tolerance import Tolerance
from data.course import BundleError, Course, GradedItem
from data.outside_text import quoted

GRADES = ("student", "item", "score")
OUTCOMES = ("student", "outcome")
LENGTH = "must have as many values as the header"

T = TypeVar("T")

Scores = Mapping[str, Mapping[str, float | None]]

_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
"""Python reads more as one: 1_0, infinity, the digits of every script."""


def read_grades(path: Path, course: Course, tolerance: Tolerance) -> Scores:
    """Scores by student and item, students sorted; items without a row are absent. Raises BundleError.

    Bad rows are held against `tolerance`; of two rows for one student and item, the second is bad.
    """
    items = {item.id: item for item in course.grading}
    found: dict[str, dict[str, float | None]] = {}
    bad: list[tuple[int, str]] = []
    ids = Ids()
    for line, row in read_rows(path, GRADES):
        reason = LENGTH if row is None else ids.fault(row[0], line) or _grade_fault(row, items, found)
        if row is None or reason:
            bad.append((line, reason))
            continue
        student, item, score = row
        found.setdefault(student, {})[item] = abs(float(score)) if score else None  # abs: no -0
    tolerance.skip_rows(path, bad)
    return _some(path, found)


def read_outcomes(path: Path, tolerance: Tolerance) -> Mapping[str, bool]:
    """Whether each student passed, students sorted. Raises BundleError, as `read_grades` does."""
    found: dict[str, bool] = {}
    bad: list[tuple[int, str]] = []
    ids = Ids()
    for line, row in read_rows(path, OUTCOMES):
        reason = LENGTH if row is None else ids.fault(row[0], line) or _outcome_fault(row, found)
        if row is None or reason:
            bad.append((line, reason))
        else:
            found[row[0]] = row[1].casefold() == "pass"
    tolerance.skip_rows(path, bad)
    return _some(path, found)


def _grade_fault(row: tuple[str, ...], items: Mapping[str, GradedItem], found: Scores) -> str:
    """Why a row cannot be used; empty if it can."""
    student, item, score = row
    if item not in items:
        close = difflib.get_close_matches(item[:100], items, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        return f"course.toml grades no {quoted(item)}; {hint}it grades {', '.join(items)}"
    if item in found.get(student, {}):
        return f"student {quoted(student)} has a second row for {quoted(item)}"
    return _score_fault(score, items[item].max_points) if score else ""


def _score_fault(text: str, most: float) -> str:
    if not _NUMBER.fullmatch(text):
        hint = f"; write {text.replace(',', '.')}" if re.fullmatch(r"[0-9]{1,9},[0-9]{1,9}", text) else ""
        return f"score {quoted(text)} is no number{hint}"
    return "" if 0 <= float(text) <= most else f"score must be 0 to {most:g}, not {float(text):g}"


def _outcome_fault(row: tuple[str, ...], found: Mapping[str, bool]) -> str:
    student, outcome = row
    if student in found:
        return f"student {quoted(student)} has a second row"
    return "" if outcome.casefold() in ("pass", "fail") else f"outcome must be pass or fail, not {quoted(outcome)}"


def _some(path: Path, found: Mapping[str, T]) -> Mapping[str, T]:
    if not found:
        raise BundleError(f"{path}: lists no student")
    return dict(sorted(found.items()))
