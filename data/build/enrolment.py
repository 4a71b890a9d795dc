"""Who takes part: grades.csv (student,item,score) lists the enrolled, outcomes.csv (student,outcome) an earlier run."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from data.build.sources import Tolerance
from data.course import BundleError, Course, GradedItem
from data.events.lines import SEPARATORS, read_blocks, read_records
from data.texts import find_unseen, quote

GRADES = ("student", "item", "score")
OUTCOMES = ("student", "outcome")
SHOWN = 10

T = TypeVar("T")

Scores = Mapping[str, Mapping[str, float | None]]

_ID = re.compile(r"[^\s./\\][^/\\]{0,99}")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
"""Python reads more as one: 1_0, infinity, the digits of every script."""


def read_grades(path: Path, course: Course, tolerance: Tolerance) -> Scores:
    """Scores by student and item, students sorted; of two rows for the same, the second is bad. Raises BundleError."""
    items = {item.id: item for item in course.grading}
    found: dict[str, dict[str, float | None]] = {}
    for student, item, score in _good_rows(path, GRADES, tolerance, lambda row: _grade_fault(row, items, found)):
        found.setdefault(student, {})[item] = abs(float(score)) if score else None  # abs: no -0
    return _sort_students(path, found)


def read_outcomes(path: Path, tolerance: Tolerance) -> Mapping[str, bool]:
    """Whether each student passed, students sorted. Raises BundleError, as `read_grades` does."""
    found: dict[str, bool] = {}
    for student, outcome in _good_rows(path, OUTCOMES, tolerance, lambda row: _outcome_fault(row, found)):
        found[student] = outcome.casefold() == "pass"
    return _sort_students(path, found)


def _good_rows(
    path: Path, columns: Sequence[str], tolerance: Tolerance, explain: Callable[[tuple[str, ...]], str]
) -> Iterator[tuple[str, ...]]:
    """The rows that can be used, their student first; the others are held against `tolerance` at the end."""
    bad: list[tuple[int, str]] = []
    for line, row in _read_rows(path, columns):
        if row is None:
            bad.append((line, "must have as many values as the header, in UTF-8"))
        elif reason := _id_fault(row[0]) or explain(row):
            bad.append((line, reason))
        else:
            yield row
    tolerance.skip_rows(path, bad)


def _grade_fault(row: tuple[str, ...], items: Mapping[str, GradedItem], found: Scores) -> str:
    """Why a row cannot be used; empty if it can."""
    student, item, score = row
    if item not in items:
        close = difflib.get_close_matches(item[:100], items, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        return f"course.toml grades no {quote(item)}; {hint}it grades {', '.join(items)}"
    if item in found.get(student, {}):
        return f"student {quote(student)} has a second row for {quote(item)}"
    return _score_fault(score, items[item].max_points) if score else ""


def _score_fault(text: str, most: float) -> str:
    if not _NUMBER.fullmatch(text):
        hint = f"; write {text.replace(',', '.')}" if re.fullmatch(r"[0-9]{1,9},[0-9]{1,9}", text) else ""
        return f"score {quote(text)} is no number{hint}"
    return "" if 0 <= float(text) <= most else f"score must be 0 to {most:g}, not {float(text):g}"


def _outcome_fault(row: tuple[str, ...], found: Mapping[str, bool]) -> str:
    student, outcome = row
    if student in found:
        return f"student {quote(student)} has a second row"
    return "" if outcome.casefold() in ("pass", "fail") else f"outcome must be pass or fail, not {quote(outcome)}"


def _sort_students(path: Path, found: Mapping[str, T]) -> Mapping[str, T]:
    if not found:
        raise BundleError(f"{path}: lists no student")
    return dict(sorted(found.items()))


def _id_fault(student: str) -> str:
    """Why a text cannot be a student's id, which is also part of file names; empty if it can."""
    if not student:
        return "student is empty"
    if hidden := find_unseen(student):
        return f"student {quote(student)} has a character that cannot be seen, {hidden}"
    fine = "no slash, no dot in front, at most 100 letters"
    return "" if _ID.fullmatch(student) else f"student {quote(student)} cannot be an id: {fine}"


def _read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """Line (from 1) and stripped values of `columns` of each row; None for one of other length. Raises BundleError."""
    lines = (row for block in read_blocks(path, lambda done: None) for row in block.iter_rows())
    first = next(lines)
    separator = max(SEPARATORS, key=(first[1] or "").count)
    records = read_records(chain([first], lines), separator, path, longest=1)
    header = [name.strip() for name in next(records)[1]]
    if any(header.count(name) != 1 for name in columns):
        has, more = ", ".join(map(quote, header[:SHOWN])), ", …" if len(header) > SHOWN else ""
        raise BundleError(f"{path}:1: the header must name each of {', '.join(columns)} once; it has {has}{more}")
    places = [header.index(name) for name in columns]
    for line, row in records:
        if any("\n" in value for value in row):
            raise BundleError(f"{path}:{line}: a quotation mark that is opened here does not end")
        yield line, tuple(row[place].strip() for place in places) if len(row) == len(header) else None
