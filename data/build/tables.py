"""The tables of a bundle, written from its students."""

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from data.bundle_cohort import BEHAVIOUR, GRADES, IMPORTANCE, PREDICTIONS, SUFFICIENT
from data.bundle_files import Table
from data.course import Course, Student

DIGITS = 6  # of a stored value: far finer than any unit that is shown


def write_tables(folder: Path, course: Course, features: Sequence[str]) -> None:
    """Write the five tables of the course's students, with a row for each of `features` in each past week."""
    students = tuple(course.students.values())
    cells = [(week, feature) for week in range(1, course.weeks_done + 1) for feature in features]
    _write(folder, PREDICTIONS, ((one.id, one.predicted, one.probability, one.explained) for one in students))
    _write(folder, BEHAVIOUR, (row for one in students for row in _behaviour(one, cells)))
    _write(folder, IMPORTANCE, _each(students, "importances"))
    _write(folder, SUFFICIENT, _each(students, "sufficient"))
    _write(folder, GRADES, _each(students, "grades"))


def _behaviour(student: Student, cells: Iterable[tuple[int, str]]) -> Iterable[tuple[object, ...]]:
    return ((student.id, week, feature, student.features.get((feature, week))) for week, feature in cells)


def _each(students: Iterable[Student], what: str) -> Iterable[tuple[object, ...]]:
    """A row for each entry of the students' importances, grades and so on, whose fields are the columns."""
    return ((one.id, *dataclasses.astuple(each)) for one in students for each in getattr(one, what))


def _write(folder: Path, table: Table, rows: Iterable[Sequence[object]]) -> None:
    """Write rows, their values in the order of the table's columns."""
    listed = list(rows)
    kinds = enumerate(table.columns.values())
    arrays = [pa.array([row[position] for row in listed], kind) for position, kind in kinds]
    pq.write_table(pa.table(arrays, names=list(table.columns)), folder / table.name, compression="zstd")
