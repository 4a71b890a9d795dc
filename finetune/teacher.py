"""The scripted teacher: a backend that knows what a question means and drives the real agent and tools.

Each intent is a script, a generator that yields calls and receives what the tools return, and ends with the
answer. Scripts compose answers only from what they were given, so the grounding check passes them; now and
then the teacher makes a mistake on purpose, so that its pupil sees how one recovers.
"""

import json
import random
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from finetune.questions import Question
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, Message
from scribe.trajectory import Call
from scribe.transcript import write_call
from tools.known_questions import OF_TOPIC, asks

Result = Mapping[str, Any]
Script = Generator["Ask", Result, "Say"]


@dataclass(frozen=True, slots=True)
class Ask:
    """The teacher thinks and calls a tool."""

    thought: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """The teacher thinks and answers."""

    thought: str
    answer: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What a script may use: the question, the report it is about, and the course's numbers of weeks."""

    question: Question
    report: str
    weeks: int
    weeks_done: int

    def asked(self, detail: str = "") -> str:
        """How the teacher's reasoning begins: what is asked, in the words of a hint, and of what."""
        question = self.question
        of_topic = question.intent == "prerequisites" and "week" not in question.slots
        what = asks(OF_TOPIC if of_topic else question.intent, str(question.slots.get("subject", "")))
        return f"The question is {what}{f', here {detail}' if detail else ''}."


def ask(thought: str, tool: str, **arguments: Any) -> Ask:
    """A call with the reason for it."""
    return Ask(thought, tool, arguments)


class Teacher:
    """Answers one question; make a new one for each. `slips` is the chance of a deliberate mistake."""

    def __init__(self, script: Callable[[Brief], Script], brief: Brief, slips: float = 0.0, seed: int = 0) -> None:
        self._script = script(brief)
        self._random = random.Random(seed)
        self._slips = slips
        self._pending: Ask | Say | None = None

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "teacher", "name": "scripted expert"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        move = self._pending or self._advance(prompt[-1])
        slip = self._slip(move)
        self._pending = move if slip else None
        return Completion(slip or write(move))

    @property
    def pending(self) -> bool:
        """Whether a deliberate mistake has not been put right yet."""
        return self._pending is not None

    def _advance(self, last: Message) -> Ask | Say:
        try:
            if last.role != "tool":
                return next(self._script)
            return self._script.send(json.loads(last.content.splitlines()[0]))
        except StopIteration as end:
            said: Say = end.value
            return said

    def _slip(self, move: Ask | Say) -> str | None:
        """A faulty turn instead of this move: a tool that does not exist, or a number out of thin air."""
        if self._pending is not None or self._random.random() >= self._slips:
            return None
        if isinstance(move, Ask):
            return write(Ask(move.thought, move.tool.replace("get_", "").replace("_", "-"), move.arguments))
        numbers = list(re.finditer(r"\d+", move.answer))
        if not numbers:
            return None
        spot = self._random.choice(numbers)
        wrong = str(int(spot.group()) + self._random.choice((1, 2, 7, 30)))
        return write(Say(move.thought, move.answer[: spot.start()] + wrong + move.answer[spot.end() :]))


def write(move: Ask | Say) -> str:
    """The turn as text, without the opener."""
    head = f" {move.thought} {END_OF_REASONING}\n"
    if isinstance(move, Ask):
        return head + write_call(Call(move.tool, move.arguments))
    return f"{head}{FINAL_ANSWER}{move.answer}{END_OF_FINAL_ANSWER}"


def typed(question: Question, value: str) -> str:
    """The value as the student spelled it, or the value itself if it is not there."""
    found = re.search(re.escape(value), question.text, re.IGNORECASE)
    return found.group() if found else value

