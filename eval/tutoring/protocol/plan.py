"""What a run measures, and with which students: its sessions by key."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from eval.tutoring.protocol.record import SessionKey
from eval.tutoring.protocol.session import ATTEMPTS
from eval.tutoring.students.student import LEVELS
from scribe.tutor.session import MAX_ROUNDS, Language

StudentKind = Literal["knowledge", "model"]
ORACLE = "oracle"
"""The row of the paper's table that is no tutor: students are given all knowledge at once."""

AT = "@"
"""`traver@5` is traver with five candidates: tutors of one name and several numbers are an experiment in scaling."""


@dataclass(frozen=True, slots=True)
class MeasurementPlan:
    """Every tutor with every task, level and seed. seeds: how many; attempts: programs of each coding test."""

    tutors: tuple[str, ...]
    tasks: tuple[str, ...]
    students: StudentKind = "knowledge"
    language: Language = "English"
    seeds: int = 1
    attempts: int = ATTEMPTS
    rounds: int = MAX_ROUNDS

    def list_keys(self) -> Iterator[SessionKey]:
        """The sessions, task by task, so that programs which students have in common are run once and early."""
        for task in self.tasks:
            for seed in range(self.seeds):
                for level in LEVELS:
                    yield from (SessionKey(tutor, task, level, seed) for tutor in self.tutors)

    def describe_students(self) -> Mapping[str, str | int]:
        """What must be the same in all sessions of a folder."""
        return {
            "students": self.students,
            "language": self.language,
            "attempts": self.attempts,
            "rounds": self.rounds,
        }
