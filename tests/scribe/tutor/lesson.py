"""A small task and its guard, and a model that answers by seed, for the tests of tutors."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.messages import Message
from scribe.tutor.session import ComponentBrief, StudentTurn, TaskBrief, TutoringSession, TutorTurn
from scribe.tutor.solution_guard import SolutionGuard

PARTS = ("    total = 0\n", "    for price in prices:\n        total += discount(price, 'x')\n", "    return total\n")
REFERENCE = "def add(prices):\n" + "".join(PARTS)
BRIEF = TaskBrief(
    task="basket",
    title="The total of a basket",
    description="Complete `add`: the sum of all prices with their discount.",
    target="shop/basket.py::add",
    stub='def add(prices):\n    """The total."""\n    raise NotImplementedError\n',
    context="def discount(price, code):\n    return price * 9 // 10\n",
    components=(
        ComponentBrief("start", "step", "The total starts from nothing.", ("total", "starts", "zero"), ("test_empty",)),
        ComponentBrief(
            "each-price",
            "dependency",
            "Every price is added after the function `discount` of this file lowered it.",
            ("discount", "every price", "added"),
            ("test_sum", "test_one"),
        ),
    ),
)
TURNS = (
    TutorTurn("Hello! What does the total hold before the first price, where it starts: zero?"),
    StudentTurn("Nothing, I think. The total starts at zero.", "def add(prices):\n    return 0\n"),
)
SESSION = TutoringSession(BRIEF, TURNS)


def guard(task: str = "basket") -> SolutionGuard:
    return SolutionGuard(PARTS, REFERENCE)


def turn(text: str, thought: str = "They lack one thing.") -> str:
    """A turn in the format, behind the opener."""
    return f" {thought} [END_OF_REASONING]\n[FINAL_ANSWER]{text}[END_OF_FINAL_ANSWER]"


@dataclass(slots=True)
class ScriptedBySeed:
    """Answers by prompt and sampling, so that threads may ask in any order, and remembers both."""

    answer: Callable[[Sequence[Message], Sampling], str]
    finish: Finish = "stop"
    asked: list[tuple[tuple[Message, ...], Sampling]] = field(default_factory=list)
    constraints: list[Constraint | None] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "scripted", "name": "by seed"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        with self._lock:
            self.asked.append((tuple(prompt), sampling))
            self.constraints.append(constraint)
        text = self.answer(prompt, sampling)
        for piece in text.splitlines(keepends=True) if on_text else ():
            assert on_text is not None
            on_text(piece)
        return Completion(text, self.finish, 10, 0, len(text.split()))
