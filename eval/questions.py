"""Files of questions that a person wrote, a choice of them for benches, and the same ones asked as other students."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from scribe.errors import UsageError
from scribe.trajectory import Exchange

STUDENT_QUESTIONS = Path(__file__).parent / "student_questions.jsonl"
STUDENTS = 300
"""Of the demo course that benches ask about, s001 and on."""
BETWEEN = "@"
"""`q07@s030` is the question q07 asked as s030."""


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question that a person wrote."""

    id: str
    course: str
    student: str
    theory: str
    question: str
    tools: tuple[str, ...]
    """The first tools that would be right; "" stands for an answer without any."""
    category: str
    history: tuple[Exchange, ...] = ()


_LINE = TypeAdapter(WrittenQuestion)


def read_questions(path: Path) -> list[WrittenQuestion]:
    """The questions of a JSON lines file. Raises UsageError naming file and line."""
    found = []
    for number, line in enumerate(_read_lines(path), start=1):
        try:
            found += [_LINE.validate_json(line)] if line.strip() else []
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"{path}:{number}: {where}: {first['msg']}") from error
    if not found:
        raise UsageError(f"{path} holds no question")
    return found


def choose_questions(students: int, each: int) -> list[WrittenQuestion]:
    """So many questions of each student; neighbours are of different students, as in a busy hour.

    Raises UsageError for more students than the course has.
    """
    if not 1 <= students <= STUDENTS:
        raise UsageError(f"{students} students are not possible; the course has {STUDENTS}")
    pool = [written for written in read_questions(STUDENT_QUESTIONS) if not written.history]
    apart = min(10, STUDENTS // students)
    ids = [f"s{apart * number:03d}" for number in range(1, students + 1)]
    return [
        WrittenQuestion(
            f"{turn}-{student}", "dsp", student, "nr", pool[(turn * students + at) % len(pool)].question, (), ""
        )
        for turn in range(each)
        for at, student in enumerate(ids)
    ]


def spread_over_students(
    path: Path, students_of: Callable[[str], Sequence[str]], count: int, seed: int = 0
) -> Iterator[str]:
    """Each line of a questions file `count` times, as JSON lines with other students of the same course.

    What is right for one student may be wrong for the next. Which students is drawn anew for each question; the same
    seed draws the same. Everything else of a line stays. Raises UsageError naming file and line.
    """
    for number, line in enumerate(_read_lines(path), start=1):
        if not line.strip():
            continue
        asked = _parse_question(line, f"{path}:{number}")
        students = sorted(students_of(asked["course"]))
        if count > len(students):
            raise UsageError(f"{path}:{number}: {asked['course']} has {len(students)} students, not {count}")
        for student in random.Random(f"{seed} {asked['id']}").sample(students, count):
            own = {**asked, "id": f"{asked['id']}{BETWEEN}{student}", "student": student}
            yield json.dumps(own, ensure_ascii=False)


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the questions {path} cannot be read: {error}") from error


def _parse_question(line: str, where: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
        if isinstance(asked, dict) and all(isinstance(asked.get(name), str) for name in ("id", "course")):
            return asked
    except ValueError:
        pass
    raise UsageError(f'{where}: a question for several students is a line {{"id", "course", "question", …}}')
