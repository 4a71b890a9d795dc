"""Rows held against the courses: whose they are, which report is read, and whether the question can be asked."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from app.batch.rows import Note, Problems, QuestionRow
from data.course import BrokenBundle, Course
from scribe.errors import UsageError
from tools import conversation
from tools.assembly.assistant import find_course, find_student
from tools.assembly.settings import AssistantSettings

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """Rows that can be answered, and the courses that they are about, by id."""

    rows: tuple[QuestionRow, ...]
    courses: Mapping[str, Course]


def check_rows(rows: Iterable[QuestionRow], settings: AssistantSettings, problems: Problems) -> CheckedRows:
    """The rows with ids for names, cleaned questions and no more history than the chat carries.

    What is wrong with the others is noted: every unknown course, student or kind of report, every question that is
    empty or too long.
    """
    courses = _Courses(settings)
    found = [_check_row(row, courses, settings, problems.at(row.line)) for row in rows]
    used = {each.id: each for each in courses.found.values() if isinstance(each, Course)}
    return CheckedRows(tuple(each for each in found if each), used)


@dataclass(slots=True)
class _Courses:
    """Courses by whatever name the rows use, each read once; what is wrong with one is said for each of its rows."""

    settings: AssistantSettings
    found: dict[str, Course | str] = field(default_factory=dict)

    def get(self, name: str) -> Course | str:
        if name not in self.found:
            self.found[name] = self._read(name)
        return self.found[name]

    def _read(self, name: str) -> Course | str:
        try:
            course = find_course(self.settings, name)
        except UsageError as error:
            return str(error)
        except BrokenBundle as error:
            return f"the course {name} cannot be used: {error.problems[0]}; `scribe courses check` lists all"
        return next((each for each in self.found.values() if isinstance(each, Course) and each.id == course.id), course)


def _check_row(row: QuestionRow, courses: _Courses, settings: AssistantSettings, note: Note) -> QuestionRow | None:
    theory = row.theory or settings.courses.theory
    question = _attempt(lambda: conversation.clean_question(row.question), note)
    course = courses.get(row.course)
    if isinstance(course, str):
        note(course)
        return None
    student = _attempt(lambda: find_student(course, row.student), note)
    report = student and _attempt(lambda: conversation.find_report(student, theory), note)
    if question is None or student is None or report is None:
        return None
    history = row.history[-settings.chat.history :]
    return replace(row, course=course.id, student=student.id, question=question, theory=theory, history=history)


def _attempt(attempt: Callable[[], _T], note: Note) -> _T | None:
    """What the attempt gives, or None after noting why it gives nothing."""
    try:
        return attempt()
    except UsageError as error:
        note(str(error))
        return None
