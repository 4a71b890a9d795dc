"""One prompt that waits for its turn: what the engine does with it, and how the caller hears of it."""

import queue
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from scribe.backend import Completion, Finish, OnText
from scribe.backends.writing import Writing
from scribe.engine.path import Path
from scribe.engine.places import Sequence

TICK = 0.25
"""Seconds without news after which the caller is asked whether to go on."""


News: TypeAlias = "queue.SimpleQueue[str | Completion | Exception]"


@dataclass(slots=True, eq=False)
class Request:
    """A prompt and the turn that is written behind it; `news` gets the turn's text, and how it ended.

    The engine's thread calls `begin`, `finish` and `fail`; the caller's thread waits in `result`. cancelled: set by
    the caller, seen by the engine before its next step.
    """

    path: Path
    writing: Writing
    news: News
    cancelled: bool = False
    sequence: Sequence | None = None
    queue_seconds: float = 0.0
    submitted: float = field(default_factory=time.perf_counter)

    @property
    def place(self) -> Sequence:
        """Its sequence, once it has begun."""
        assert self.sequence is not None
        return self.sequence

    def begin(self, sequence: Sequence) -> None:
        """Its reading begins."""
        self.sequence = sequence
        self.queue_seconds = time.perf_counter() - self.submitted

    def finish(self) -> None:
        """The turn is over."""
        self.news.put(self._completion(self.writing.turn.text, self.writing.finish or "length"))

    def fail(self, error: Exception) -> None:
        """Let the caller raise this; an error of its own, since an exception belongs to one thread."""
        self.news.put(error)

    def result(self, on_text: OnText | None) -> Completion:
        """Wait for the turn, passing on its text. Whatever `on_text` raises is raised here."""
        heard: list[str] = []
        for piece in self._pieces():
            if isinstance(piece, Completion):
                return piece
            heard.append(piece)
            if on_text is not None and on_text(piece) is False:
                return self._completion("".join(heard), "cancelled")
        raise AssertionError("a request has no end")  # pragma: no cover

    def _pieces(self) -> Iterator[str | Completion]:
        """What comes, and an empty text whenever nothing came for a while."""
        while True:
            try:
                news = self.news.get(timeout=TICK)
            except queue.Empty:
                news = ""
            if isinstance(news, Exception):
                raise news
            yield news

    def _completion(self, text: str, finish: Finish) -> Completion:
        begun, wrote = self.sequence.begun if self.sequence else 0, tuple(self.writing.ids)
        return Completion(text, finish, len(self.path.ids), begun, len(wrote), self.queue_seconds, wrote)
