"""One question on the page: answered in a thread, and shown as chat messages while it grows."""

import logging
import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.dialogue.asking import AnswerRetracted, AnswerText, Event, StepTaken, ask
from app.dialogue.phrases import ENGLISH, choose_phrases
from app.dialogue.wording import (
    describe_result,
    describe_step,
    explain_ending,
    list_evidence,
)
from scribe.agent import Agent
from scribe.errors import ScribeError
from scribe.records import Record
from scribe.trajectory import Act, Fault, Step, Stop, Task

ChatMessage = Mapping[str, Any]
"""A message as gr.Chatbot takes it: role, content, and metadata when it is a step."""

TICK = 0.2
"""Seconds after which a stop is noticed even if the model says nothing."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    """The model or the machine failed; the words are for the student."""

    words: str


@dataclass(slots=True)
class PendingAnswer:
    """A question being answered. `stopped` may be set from any thread; `record` is there at the end."""

    agent: Agent
    task: Task
    stopped: threading.Event = field(default_factory=threading.Event)
    record: Record | None = None
    _events: "queue.Queue[Event | Record | AnswerFailed]" = field(default_factory=queue.Queue)

    def messages(self) -> Iterator[list[ChatMessage]]:
        """The messages of this turn so far, again and again until it is over."""
        threading.Thread(target=self._work, daemon=True).start()
        view = TurnView(self.task.question, self.task.language)
        try:
            yield view.messages()
            while not view.over:
                view.take(self._next())
                yield view.messages()
            self.record = view.record
        finally:
            # Also when the browser has gone: the model must not go on for nobody.
            self.stopped.set()

    def _next(self) -> Event | Record | AnswerFailed:
        while not self.stopped.is_set():
            try:
                return self._events.get(timeout=TICK)
            except queue.Empty:
                continue
        return AnswerFailed(choose_phrases(self.task.language).stops[Stop.CANCELLED])

    def _work(self) -> None:
        try:
            self._events.put(ask(self.agent, self.task, self._events.put, self.stopped.is_set))
        except ScribeError as error:
            log.warning("a question could not be answered: %s", error)
            self._events.put(AnswerFailed("The language model did not answer. Please try again in a moment."))
        except Exception:
            log.exception("unforeseen while answering")
            self._events.put(AnswerFailed("Something went wrong on our side. Please try again."))


@dataclass(slots=True)
class TurnView:
    """What the page shows of a turn."""

    question: str
    language: str = ENGLISH
    steps: list[ChatMessage] = field(default_factory=list)
    answer: str = ""
    over: bool = False
    record: Record | None = None

    def take(self, event: Event | Record | AnswerFailed) -> None:
        """Let one event change what is shown."""
        match event:
            case StepTaken(step):
                self.steps += show_step(step, self.language)
            case AnswerText(text):
                self.answer += text
            case AnswerRetracted():
                self.answer = ""
            case AnswerFailed(words):
                self.answer, self.over = words, True
            case Record():
                self.answer = event.answer or explain_ending(event.trajectory)
                self.record, self.over = event, True

    def messages(self) -> list[ChatMessage]:
        """The question, the steps, then the answer or a sign that it is being worked on."""
        asked: ChatMessage = {"role": "user", "content": self.question}
        waiting: ChatMessage = _accordion("Thinking", "One moment, please.", "pending")
        said: ChatMessage = {"role": "assistant", "content": self.answer}
        return [asked, *self.steps, said if self.answer else waiting]


def show_step(step: Step, language: str = ENGLISH) -> list[ChatMessage]:
    """A step as closed accordions: a friendly line, and inside what the tool said. Never raw model text."""
    match step:
        case Act(_, _, observations):
            bodies = ["\n".join(f"- {line}" for line in describe_result(seen, language)) for seen in observations]
        case Fault():
            bodies = [choose_phrases(language).dropped]
        case _:
            bodies = ["\n".join(f"- {line}" for line in list_evidence(step))]
    return [_accordion(line, body, "done") for line, body in zip(describe_step(step, language), bodies, strict=False)]


def _accordion(title: str, body: str, status: str) -> ChatMessage:
    return {"role": "assistant", "content": body, "metadata": {"title": title, "status": status}}
