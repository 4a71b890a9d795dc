"""One question of a file: its fields read and held against the courses, and everything that is wrong with the file."""

import difflib
import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass
from pydantic_core import from_json

from data.course import BrokenBundle, Course
from scribe.plumbing.errors import UsageError
from scribe.trajectory import Exchange
from tools import conversation as questions
from tools.assembly.assistant import find_course, find_student
from tools.assembly.settings import AssistantSettings

MOST_SHOWN = 20
"""Problems that a refusal lists; the rest are counted."""
NEEDED = ("id", "course", "student", "question")
OPTIONAL = ("theory", "history")
EVALUATED = ("category", "tools", "intent", "source")
"""What lines for evaluation and training hold beside; not read here, and no misspelling of what is."""
_ALIKE = 0.7
"""From this similarity on, an unknown field is taken for a misspelt one that is not there; others are left alone."""
_PLAIN = {
    "missing": "is missing",
    "string_too_short": "is empty",
    "string_unicode": "is not readable text; write it in UTF-8",
}

Note = Callable[[str], None]
"""Takes down one problem of a place that it knows."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Exchanges = Annotated[
    tuple[Exchange, ...], BeforeValidator(lambda value: from_json(value) if isinstance(value, str) else value)
]
"""Earlier exchanges, oldest first; in a table they are JSON."""
T = TypeVar("T")


@checked_dataclass(frozen=True, slots=True, config=ConfigDict(coerce_numbers_to_str=True))
class QuestionRow:
    """A question, whose it is, and the line it stands on, counted from 1.

    Once checked, `course` and `student` are ids of a bundle and `theory` is a kind of report that this student has.
    """

    id: Annotated[Text, StringConstraints(max_length=200)]
    course: Text
    student: Text
    question: Text
    theory: Text = ""
    history: Exchanges = ()
    line: int = 0


_ROWS = TypeAdapter(QuestionRow)


@dataclass(slots=True)
class Problems:
    """What is wrong with an input file, in the order found."""

    path: Path
    found: list[tuple[int, str]] = field(default_factory=list)

    def at(self, line: int) -> Note:
        return lambda what: self.found.append((line, what))

    def settle(self) -> None:
        """Raise UsageError with the first of them, in the file's order, if there are any."""
        if not self.found:
            return
        count = len(self.found)
        told = [f"{self.path}:{line}: {what}" for line, what in sorted(self.found, key=lambda each: each[0])]
        rest = [f"and {count - MOST_SHOWN} more"] if count > MOST_SHOWN else []
        head = f"nothing was answered, because {self.path} has {count} problem{'s' if count > 1 else ''}:"
        raise UsageError("\n  ".join([head, *told[:MOST_SHOWN], *rest]))


def make_row(fields: Mapping[str, Any], line: int, note: Note) -> QuestionRow | None:
    """The row that these fields make, or None after noting what is wrong with them."""
    given = {name: fields[name] for name in (*NEEDED, *OPTIONAL) if fields.get(name) is not None}
    misspelt = _find_misspelt(fields)
    for name, meant in misspelt.items():
        note(f"there is no field {name!r}; did you mean {meant}?")
    row = validate(_ROWS, {**given, "line": line}, note)
    return None if misspelt else row


def validate(adapter: TypeAdapter[T], value: Any, note: Note) -> T | None:
    """The value as the adapter's type, or None after noting what is wrong with it."""
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        for each in error.errors():
            where = ".".join(map(str, each["loc"]))
            told = _PLAIN.get(each["type"])
            note(f"{where} {told}" if told else f"{where}: {each['msg']}, not {each['input']!r:.40}")
        return None


def _find_misspelt(fields: Mapping[str, Any]) -> dict[str, str]:
    """Fields that nobody reads but somebody meant to be read, and what was meant."""
    missing = [name for name in (*NEEDED, *OPTIONAL) if name not in fields]
    unknown = [name for name in fields if name not in (*NEEDED, *OPTIONAL, *EVALUATED)]
    close = {name: difflib.get_close_matches(name, missing, 1, _ALIKE) for name in unknown}
    return {name: alike[0] for name, alike in close.items() if alike}


def check_rows(
    rows: Iterable[QuestionRow], settings: AssistantSettings, problems: Problems
) -> tuple[list[QuestionRow], dict[str, Course]]:
    """The rows with ids for names, cleaned questions and no more history than the chat carries; and their courses.

    What is wrong with the others is noted: every unknown course, student or kind of report, every question that is
    empty or too long.
    """
    find = functools.cache(lambda name: _find_course(settings, name))
    checked = []
    courses = {}
    for row in rows:
        note, theory = problems.at(row.line), row.theory or settings.courses.theory
        question = _attempt(questions.clean_question, row.question, note=note)
        course = find(row.course)
        if isinstance(course, str):
            note(course)
            continue
        student = _attempt(find_student, course, row.student, note=note)
        if student and _attempt(questions.find_report, student, theory, note=note) and question:
            history = row.history[-settings.chat.history :]
            if _attempt(questions.check_history, history, note=note) is None:
                continue
            courses[course.id] = course
            whose = replace(row, course=course.id, student=student.id, theory=theory)
            checked.append(replace(whose, question=question, history=history))
    return checked, courses


def _find_course(settings: AssistantSettings, name: str) -> Course | str:
    try:
        return find_course(settings, name)
    except UsageError as error:
        return str(error)
    except BrokenBundle as error:
        return f"the course {name} cannot be used: {error.problems[0]}; `scribe courses check` lists all"


def _attempt(work: Callable[..., T], *given: Any, note: Note) -> T | None:
    """What the work gives, or None after noting why it gives nothing."""
    try:
        return work(*given)
    except UsageError as error:
        note(str(error))
        return None
