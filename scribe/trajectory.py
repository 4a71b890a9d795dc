"""The record of one question: the task, the steps taken, and why it ended. Immutable values only."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of the same conversation and the answer it got."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Task:
    """One question of one student about one report in one course.

    `about` is a line on the course that the model may rely on (title, weeks, weeks passed). `student`
    is for our bookkeeping and is never shown to the model.
    """

    course: str
    student: str
    question: str
    report: str
    about: str = ""
    history: tuple[Exchange, ...] = ()
    language: str = "English"
    theory: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """The model's request: a tool's name and its arguments as the model wrote them."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tool said: JSON text exactly as the model sees it; `ok` is False for a refused call.

    `coerced` lists what had to be repaired in the arguments, for the statistics.
    """

    ok: bool
    content: str
    coerced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """The model reasoned and called tools; one observation per call."""

    thought: str
    calls: tuple[Call, ...]
    observations: tuple[Observation, ...]
    kind: Literal["act"] = "act"


@dataclass(frozen=True, slots=True)
class Fault:
    """The model did something wrong: what it wrote, and what it was told.

    standing: the beginning of what it wrote, up to the last sentence in which nothing is wrong; empty if that is none.
    told: whether the model reads of it; else it drew its turn anew as if this had not been.
    """

    raw: str
    complaint: str
    standing: str = ""
    told: bool = True
    kind: Literal["fault"] = "fault"


@dataclass(frozen=True, slots=True)
class Answer:
    """The model's checked answer to the student."""

    thought: str
    text: str
    kind: Literal["answer"] = "answer"


Step = Act | Fault | Answer


class Stop(StrEnum):
    """Why a trajectory ended."""

    ANSWERED = "answered"
    UNRESOLVED = "unresolved"
    CONTEXT_FULL = "context_full"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read, taken from cache and written, wall-clock seconds, and those of them spent waiting for a turn."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    queue_seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(round(one + more, 3) for one, more in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A task, the steps so far, and, once it has ended, why."""

    task: Task
    steps: tuple[Step, ...] = ()
    stop: Stop | None = None
    usage: Usage = Usage()

    def then(self, step: Step, usage: Usage = Usage()) -> "Trajectory":
        """The same trajectory with one more step."""
        return replace(self, steps=(*self.steps, step), usage=self.usage + usage)

    def ended(self, stop: Stop) -> "Trajectory":
        """The same trajectory, ended for this reason."""
        return replace(self, stop=stop)

    @property
    def answer(self) -> str | None:
        """The answer's text, or None if there is none."""
        last = self.steps[-1] if self.steps else None
        return last.text if isinstance(last, Answer) else None

    @property
    def acts(self) -> tuple[Act, ...]:
        """The steps in which tools were called."""
        return tuple(step for step in self.steps if isinstance(step, Act))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The steps in which the model went wrong."""
        return tuple(step for step in self.steps if isinstance(step, Fault))
