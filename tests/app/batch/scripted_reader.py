"""A model that answers by the question it reads, so that each answer can be told from every other."""

import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import Message
from scribe.plumbing.errors import BackendError, QueueFull
from tests.app.told import final
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

BAD = "broken"
"""A question with this word fails, as an address that does not answer would."""
BUG = "puzzling"
"""One with this word finds a mistake in our own code."""
WRONG = "unfounded"
"""One with this word gets an answer that the report does not support."""


@dataclass
class ScriptedReader:
    """Answers `You asked: <the question>` after `delay` seconds a turn, unless the question says otherwise.

    asked: a file that gets one line for each question that is answered, also from several processes. full: how often
    it says first that too many wait.
    """

    delay: float = 0.0
    asked: Path | None = None
    name: str = "reader"
    cured: bool = False
    full: int = 0
    most_at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "scripted", "name": self.name}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        question = next(message.content for message in prompt[::-1] if message.content.startswith("Why"))
        with self._lock:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            return self._said(question, on_text)
        finally:
            with self._lock:
                self._now -= 1

    def _said(self, question: str, on_text: OnText | None) -> Completion:
        time.sleep(self.delay)
        if on_text is not None and on_text(" ") is False:
            return Completion("", "cancelled")
        if BAD in question and not self.cured:
            raise BackendError("nobody answers there")
        if self.full > 0:
            self.full -= 1
            raise QueueFull(64)
        if BUG in question:
            raise RuntimeError("boom")
        if self.asked is not None:
            _noted(self.asked, question)
        text = "You had 77 sessions in week 3." if WRONG in question else answer_to(question)
        return Completion(final(text), "stop", 100, 60, 7)


def answer_to(question: str) -> str:
    """What the reader answers."""
    return f"You asked: {question}"


def reading(backend: ScriptedReader) -> MakeBackend:
    """In place of a model: this one."""
    return lambda settings: backend


def _noted(path: Path, question: str) -> None:
    """Append a line in one write, which no kill can halve."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(file, f"{question}\n".encode())
    os.close(file)


DEADLY = "deadly"
"""A question with this word kills the process that reads it, as often as it is to."""


@dataclass(frozen=True, slots=True)
class MakeMortal:
    """Makes readers on workers. graves: a folder that counts deaths, of which there are at most `deaths`.

    alike: whether all workers have the same model.
    """

    asked: Path
    graves: Path
    deaths: int = 1
    alike: bool = True
    delay: float = 0.02

    def __call__(self, settings: AssistantSettings) -> "MortalReader":
        name = "reader" if self.alike else f"reader-{os.getpid()}"
        return MortalReader(self.delay, self.asked, name, graves=self.graves, deaths=self.deaths)


@dataclass
class MortalReader(ScriptedReader):
    """A reader whose process can be killed by a question."""

    graves: Path = Path()
    deaths: int = 0

    def _said(self, question: str, on_text: OnText | None) -> Completion:
        if DEADLY in question and len(list(self.graves.iterdir())) < self.deaths:
            (self.graves / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._said(question, on_text)
