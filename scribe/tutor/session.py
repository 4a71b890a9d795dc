"""A tutoring dialogue as an immutable value: what the tutor knows of the task, and the turns so far.

A session grows by `then`, as a trajectory does; a tutor is a function from a session that the student spoke last in
(or that nobody has spoken in yet) to the next tutor's turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

Language = Literal["English", "French"]
MAX_ROUNDS = 8
"""Rounds of a dialogue: a tutor's turn and the student's (the paper's section 5.1)."""
MAX_WORDS = 60
"""Words of a tutor's turn that a student takes in (the paper's cognitive load, section 4.3)."""


@dataclass(frozen=True, slots=True)
class ComponentBrief:
    """A knowledge component as a tutor knows it: a dependency or a step of the reference solution."""

    name: str
    kind: Literal["dependency", "step"]
    text: str
    """What must be known, one sentence."""
    cues: tuple[str, ...] = ()
    """Words that an explanation of it contains."""
    tests: tuple[str, ...] = ()
    """Names of the tests that fail where it is not known, as far as they are known."""


@dataclass(frozen=True, slots=True)
class TaskBrief:
    """What a tutor is told of a task, in the student's language; all but `components` the student sees too."""

    task: str
    title: str
    description: str
    target: str
    """`package/module.py::name`."""
    stub: str
    """The target's signature and docstring."""
    context: str
    """The package's code around the target."""
    components: tuple[ComponentBrief, ...]
    language: Language = "English"


@dataclass(frozen=True, slots=True)
class TokenUse:
    """Tokens that a turn cost, all calls of all models together; of the prompt, cached ones too."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: "TokenUse") -> "TokenUse":
        return TokenUse(self.prompt + other.prompt, self.completion + other.completion)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that a tutor might say, and the verifier's reward for it; None where none was asked."""

    text: str
    reward: float | None = None


@dataclass(frozen=True, slots=True)
class TutorTurn:
    """What the tutor said. belief: for each component by name the probability that the student knows it."""

    text: str
    thought: str = ""
    candidates: tuple[Candidate, ...] = ()
    belief: Mapping[str, float] = field(default_factory=dict)
    use: TokenUse = TokenUse()


@dataclass(frozen=True, slots=True)
class StudentTurn:
    """What the student said; the code that they have, and what the tests said of it, where they ran them."""

    text: str
    code: str = ""
    results: str = ""


Turn = TutorTurn | StudentTurn


@dataclass(frozen=True, slots=True)
class TutoringSession:
    """The dialogue so far, the oldest turn first."""

    brief: TaskBrief
    turns: tuple[Turn, ...] = ()

    def then(self, turn: Turn) -> "TutoringSession":
        """The session with one more turn."""
        return replace(self, turns=(*self.turns, turn))

    @property
    def rounds(self) -> int:
        """How often the tutor has spoken."""
        return sum(isinstance(turn, TutorTurn) for turn in self.turns)

    @property
    def belief(self) -> Mapping[str, float]:
        """The tutor's last belief; empty before its first turn."""
        beliefs = (turn.belief for turn in reversed(self.turns) if isinstance(turn, TutorTurn))
        return next(beliefs, {})


class Tutor(Protocol):
    """Says the next turn of a session."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The tutor's next turn. Raises BackendError, never for bad text: it then says the best it has."""
        ...
