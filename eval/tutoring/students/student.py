"""What every simulated student of a coding task can do, and what is known of one at a moment."""

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from scribe.tutor.session import StudentTurn, TutoringSession

Level = Literal["low", "medium", "high"]
"""What a student knows before: nothing; some dependencies; these, and the code around the target (section 4.1)."""
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class StudentState:
    """A student at a moment of a session.

    known: components that they know, in the task's order; None of a language model, of which nobody can say it.
    asked: the component that they last asked about. named: those that they have asked about or repeated.
    informed: they were given all that there is to know, as the paper's Oracle does.
    """

    known: tuple[str, ...] | None = None
    asked: str = ""
    named: tuple[str, ...] = ()
    informed: bool = False


class TutoredStudent(Protocol):
    """A simulated student of one task. The same seed gives the same words and programs."""

    @property
    def kind(self) -> str:
        """What tables call this kind of student."""
        ...

    @property
    def level(self) -> Level:
        """What they know before."""
        ...

    def begin(self) -> StudentState:
        """The student before the session."""
        ...

    def inform(self) -> StudentState:
        """The student who has been given all that there is to know."""
        ...

    def reply(self, session: TutoringSession, state: StudentState) -> tuple[StudentTurn, StudentState]:
        """What the student says to the session's last turn, which is the tutor's, and what they are then.

        Raises BackendError or SandboxMissing.
        """
        ...

    def attempt(self, session: TutoringSession, state: StudentState, number: int) -> str:
        """A program for the target, written after the session so far; each number is another try.

        Raises BackendError.
        """
        ...
