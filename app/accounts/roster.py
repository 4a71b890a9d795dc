"""Which account belongs to which student of which course: a CSV file that the campus keeps."""

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.accounts.person import Role
from scribe.errors import UsageError

COLUMNS = ("account", "course", "student", "role")


@dataclass(frozen=True, slots=True)
class Enrolment:
    """One account's place in one course."""

    course: str
    student: str
    role: Role


class Roster:
    """The enrolments of each account; made by `read_roster`."""

    def __init__(self, enrolments: Mapping[str, tuple[Enrolment, ...]]) -> None:
        self._enrolments = enrolments

    def of(self, account: str, course: str = "") -> Enrolment | None:
        """Where this account is enrolled: in this course, or in its first one."""
        found = self._enrolments.get(account, ())
        return next((each for each in found if not course or each.course == course), None)

    def courses_of(self, account: str) -> tuple[str, ...]:
        """The courses that this account is enrolled in."""
        return tuple(each.course for each in self._enrolments.get(account, ()))


def read_roster(path: Path, students: Mapping[str, Collection[str]]) -> Roster:
    """A roster from a CSV file with the columns account, course, student, role (student or staff).

    students: the ids of each course. Raises UsageError naming file and line.
    """
    enrolments: dict[str, tuple[Enrolment, ...]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if tuple(rows.fieldnames or ()) != COLUMNS:
                raise UsageError(f"{path}:1: the columns must be {','.join(COLUMNS)}")
            for row in rows:
                enrolment = _read_row(row, students, f"{path}:{rows.line_num}")
                earlier = enrolments.get(row["account"], ())
                if any(each.course == enrolment.course for each in earlier):
                    raise UsageError(f"{path}:{rows.line_num}: {row['account']} is in {enrolment.course} twice")
                enrolments[row["account"]] = (*earlier, enrolment)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"the roster {path} cannot be read: {error}") from error
    return Roster(enrolments)


def _read_row(row: Mapping[str, str | None], students: Mapping[str, Collection[str]], where: str) -> Enrolment:
    values = [row.get(column) for column in COLUMNS]
    if None in values or len(row) != len(COLUMNS) or not row["account"]:
        raise UsageError(f"{where}: a line needs {', '.join(COLUMNS)}; staff leave the student empty")
    _, course, student, role = (str(value) for value in values)
    if role not in ("student", "staff"):
        raise UsageError(f"{where}: the role {role!r} is neither student nor staff")
    if course not in students:
        raise UsageError(f"{where}: no course {course!r}; there are {', '.join(students)}")
    if role == "student" and student not in students[course]:
        raise UsageError(f"{where}: course {course} has no student {student!r}")
    if role == "staff":
        return Enrolment(course, "", "staff")
    return Enrolment(course, student, "student")
