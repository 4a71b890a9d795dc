"""What every source of questions is asked for, and what it gives."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from data.course import Course
from finetune.questions.categories import Category
from finetune.questions.row import Row


@dataclass(frozen=True, slots=True)
class Wanted:
    """`count` questions of one category about one report of one student. The same seed asks for the same questions."""

    course: Course
    student: str
    theory: str
    category: Category
    count: int
    seed: int

    @property
    def id(self) -> str:
        """What the ids of its questions begin with."""
        return f"{self.course.id}-{self.student}-{self.theory}-{self.category.id}"

    @property
    def report(self) -> str:
        """The report that the questions are about."""
        return self.course.student(self.student).reports[self.theory]

    @property
    def salt(self) -> int:
        """A seed of its own, of 32 bits."""
        return zlib.crc32(f"{self.id}.{self.seed}".encode())


class Source(Protocol):
    """Writes questions; `name` is what their rows carry as `source`."""

    @property
    def name(self) -> str: ...

    def questions(self, wanted: Wanted) -> Sequence[Row]:
        """The questions, before any cleaning; fewer than wanted if no more come. Raises BackendError."""
