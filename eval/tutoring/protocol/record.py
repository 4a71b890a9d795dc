"""A measured session as it lies in a file: one line of JSON, everything of it that is ever counted."""

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from eval.tutoring.students.student import Level
from scribe.tutor.session import Language, StudentTurn, TutorTurn

SessionEnd = Literal["goal", "rounds", "oracle"]
"""goal: the moderator said so; rounds: there were as many as may be; oracle: there was no dialogue."""


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """A program that a student wrote in a test, by its id among the tested ones (`TestedProgram`)."""

    program: str
    passed: bool
    recall: float


@dataclass(frozen=True, slots=True)
class CodingTest:
    """The programs of one student at one moment; round 0 is before the dialogue (the pre-test)."""

    round: int
    programs: tuple[ProgramResult, ...]


@dataclass(frozen=True, slots=True)
class DialogueRound:
    """A tutor's turn, the student's, and what was true then.

    known: the components that the student knows after it, None of a student played by a language model.
    ruled: whether a moderator's ruling could be read.
    """

    tutor: TutorTurn
    student: StudentTurn
    known: tuple[str, ...] | None = None
    ruled: bool = True


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Which session of a run it is."""

    tutor: str
    task: str
    level: Level
    seed: int


@dataclass(frozen=True, slots=True)
class MeasuredSession:
    """A session from the pre-test to the last post-test.

    prior: what the student knew before, None of a student played by a language model. tests: the pre-test, and one
    after each round; of the oracle one after none. seconds: wall time, which no result depends on.
    """

    key: SessionKey
    student: str
    language: Language
    end: SessionEnd
    prior: tuple[str, ...] | None
    rounds: tuple[DialogueRound, ...]
    tests: tuple[CodingTest, ...]
    seconds: float = 0.0


SESSION = TypeAdapter(MeasuredSession)
