"""One question on the page: answered in a thread, and shown as chat messages while it grows."""

import contextlib
import logging
import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.dialogue.asking import AnswerRetracted, AnswerText, Event, StepTaken, ask
from app.dialogue.wording import choose_phrases, describe_result, describe_step, explain_ending, list_evidence
from scribe.agent import Agent
from scribe.plumbing.errors import ScribeError
from scribe.records import Record
from scribe.trajectory import Act, Fault, Step, Stop, Task

ChatMessage = Mapping[str, Any]
"""A message as gr.Chatbot takes it: role, content, and metadata when it is a step."""

TICK = 0.2
"""Seconds after which a stop is noticed even if the model says nothing."""
TICKS = 5
"""So many of them after which it is noticed that the page was left."""
SILENCE = 600.0
"""Seconds without any sign after which a question is given up: something hangs, and others wait for its place."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class PendingAnswer:
    """A question being answered. `stopped` may be set from any thread; `record` is there at the end.

    say: the words of the page (`texts_en.toml`). silence: seconds that may pass without a sign.
    """

    agent: Agent
    task: Task
    say: Mapping[str, Any]
    silence: float = SILENCE
    stopped: threading.Event = field(default_factory=threading.Event)
    record: Record | None = None
    _steps: list[ChatMessage] = field(default_factory=list)
    _answer: str = ""
    _events: "queue.Queue[Event | Record | str]" = field(default_factory=queue.Queue)
    """What happens, in the end a record, or words for the student where the model or the machine failed."""

    def messages(self) -> Iterator[list[ChatMessage]]:
        """The question, the steps, then the answer or a sign that it is worked on; again and again until it is over."""
        threading.Thread(target=self._work, daemon=True).start()
        over, silent = False, 0.0
        try:
            yield self._show()
            while not over:
                event = self._wait()
                silent = silent + TICKS * TICK if event is None else 0.0
                if silent >= self.silence:
                    log.error("a question was given up: nothing came of it for %g seconds", silent)
                    event = str(self.say["no_model"])
                over = event is not None and self._take(event)
                yield self._show()  # also when nothing came: only then can Gradio end it for a page that was left
        finally:
            # Also when the browser has gone: the model must not go on for nobody.
            self.stopped.set()

    def _work(self) -> None:
        try:
            self._events.put(ask(self.agent, self.task, self._events.put, self.stopped.is_set))
        except ScribeError as error:
            log.warning("a question could not be answered: %s", error)
            self._events.put(str(self.say["no_model"]))
        except Exception:
            log.exception("unforeseen while answering")
            self._events.put(str(self.say["broken"]))

    def _wait(self) -> Event | Record | str | None:
        """What happens next; None if nothing does for a while."""
        for _ in range(TICKS):
            if self.stopped.is_set():
                break
            with contextlib.suppress(queue.Empty):
                return self._events.get(timeout=TICK)
        else:
            return None
        return choose_phrases(self.task.language).stops[Stop.CANCELLED]

    def _take(self, event: Event | Record | str) -> bool:
        match event:
            case StepTaken(step):
                self._steps += show_step(step, self.task.language)
            case AnswerText(text):
                self._answer += text
            case AnswerRetracted():
                self._answer = ""
            case str():
                self._answer = event
            case Record():
                self._answer, self.record = event.answer or explain_ending(event.trajectory), event
        return isinstance(event, Record | str)

    def _show(self) -> list[ChatMessage]:
        asked: ChatMessage = {"role": "user", "content": self.task.question}
        waiting = make_accordion(self.say["thinking"], self.say["one_moment"], "pending")
        said: ChatMessage = {"role": "assistant", "content": self._answer}
        return [asked, *self._steps, said if self._answer else waiting]


def show_turn(record: Record) -> list[ChatMessage]:
    """A turn that is over, as it was shown when it was new."""
    task = record.task
    steps = [said for step in record.steps for said in show_step(step, task.language)]
    answer = record.answer or explain_ending(record.trajectory)
    return [{"role": "user", "content": task.question}, *steps, {"role": "assistant", "content": answer}]


def show_step(step: Step, language: str) -> list[ChatMessage]:
    """A step as closed accordions: a friendly line, and inside what the tool said. Never raw model text."""
    match step:
        case Act(_, _, observations):
            bodies = ["\n".join(f"- {line}" for line in describe_result(seen, language)) for seen in observations]
        case Fault():
            bodies = [choose_phrases(language).dropped]
        case _:
            bodies = ["\n".join(f"- {line}" for line in list_evidence(step))]
    return [
        make_accordion(line, body, "done") for line, body in zip(describe_step(step, language), bodies, strict=False)
    ]


def make_accordion(title: str, body: str, status: str) -> ChatMessage:
    """A message that is folded under its title. status: pending or done."""
    return {"role": "assistant", "content": body, "metadata": {"title": title, "status": status}}
