"""Files of questions that a person wrote, a choice of them for benches, and the same ones asked as other students."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from eval.lines import parse_lines
from scribe.plumbing.errors import UsageError
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


class _CourseQuestion(BaseModel, extra="allow"):
    """A question that can be asked as any student of its course."""

    id: str
    course: str


_LINE = TypeAdapter(WrittenQuestion)
_COURSE_QUESTION = TypeAdapter(_CourseQuestion)


def read_questions(path: Path) -> list[WrittenQuestion]:
    """The questions of a JSON lines file. Raises RecordError naming file and line, UsageError if there are none."""
    found = [question for _, question in parse_lines(path, _LINE, "the questions")]
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
    seed draws the same. Everything else of a line stays. Raises RecordError or UsageError naming file and line.
    """
    for where, asked in parse_lines(path, _COURSE_QUESTION, "the questions"):
        students = sorted(students_of(asked.course))
        if count > len(students):
            raise UsageError(f"{where}: {asked.course} has {len(students)} students, not {count}")
        for student in random.Random(f"{seed} {asked.id}").sample(students, count):
            own = {**asked.model_dump(), "id": f"{asked.id}{BETWEEN}{student}", "student": student}
            yield json.dumps(own, ensure_ascii=False)
