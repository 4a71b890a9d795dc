"""One question of a file, and everything that is wrong with the file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from scribe.errors import UsageError
from scribe.trajectory import Exchange

MOST_SHOWN = 20
"""Problems that a refusal lists; the rest are counted."""

Note = Callable[[str], None]
"""Takes down one problem of a place that it knows."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question, whose it is, and the line it stands on, counted from 1.

    Once checked, `course` and `student` are ids of a bundle and `theory` is a kind of report that this student has.
    """

    id: str
    course: str
    student: str
    question: str
    theory: str = ""
    history: tuple[Exchange, ...] = ()
    line: int = 0


@dataclass(slots=True)
class Problems:
    """What is wrong with an input file, in the order found."""

    path: Path
    found: list[tuple[int, str]] = field(default_factory=list)

    def at(self, line: int) -> Note:
        """Where to note problems of this line."""
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
