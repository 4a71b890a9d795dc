"""Which account belongs to which student of which course: a CSV file that the campus keeps."""

import csv
from collections.abc import Collection, Mapping
from pathlib import Path

from app.accounts.person import Place
from scribe.plumbing.errors import UsageError

COLUMNS = ("account", "course", "student", "role")

Roster = Mapping[str, Mapping[str, Place]]
"""The places of each account, by course."""


def read_roster(path: Path, students: Mapping[str, Collection[str]]) -> Roster:
    """A roster from a CSV file with the columns account, course, student, role (student or staff).

    students: the ids of each course. Raises UsageError naming file and line.
    """
    roster: dict[str, dict[str, Place]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if tuple(rows.fieldnames or ()) != COLUMNS:
                raise UsageError(f"{path}:1: the columns must be {','.join(COLUMNS)}")
            for row in rows:
                where = f"{path}:{rows.line_num}"
                course, place = _read_row(row, students, where)
                places = roster.setdefault(str(row["account"]), {})
                if course in places:
                    raise UsageError(f"{where}: {row['account']} is in {course} twice")
                places[course] = place
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"the roster {path} cannot be read: {error}") from error
    return roster


def _read_row(row: Mapping[str, str | None], students: Mapping[str, Collection[str]], where: str) -> tuple[str, Place]:
    values = [row.get(column) for column in COLUMNS]
    if None in values or len(row) != len(COLUMNS) or not row["account"]:
        raise UsageError(f"{where}: a line needs {', '.join(COLUMNS)}; staff leave the student empty")
    _, course, student, role = (str(value) for value in values)
    if course not in students:
        raise UsageError(f"{where}: no course {course!r}; there are {', '.join(students)}")
    if role == "staff":
        return course, Place("staff")
    if role != "student":
        raise UsageError(f"{where}: the role {role!r} is neither student nor staff")
    if student not in students[course]:
        raise UsageError(f"{where}: course {course} has no student {student!r}")
    return course, Place("student", student)
