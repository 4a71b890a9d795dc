"""The requests that wait for a slot, and how the caller of each hears of it. Owners take turns."""

import queue
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from scribe.backend import Completion, Finish, OnText
from scribe.decoding.generation import Generation
from scribe.engine.slots import Slot
from scribe.engine.token_sequence import TokenSequence
from scribe.plumbing.errors import QueueFull

TICK = 0.25
"""Seconds without news after which the caller is asked whether to go on."""

News: TypeAlias = "queue.SimpleQueue[str | Completion | Exception]"


@dataclass(slots=True, eq=False)
class TurnRequest:
    """A prompt and the turn that is written behind it; `news` gets the turn's text, and how it ended.

    The engine's thread calls `begin`, `finish` and `fail`; the caller's thread waits in `result`.
    cancelled: set by the caller, seen by the engine before its next step.
    """

    prompt: TokenSequence
    generation: Generation
    news: News
    cancelled: bool = False
    assigned: Slot | None = None
    queue_seconds: float = 0.0
    submitted: float = field(default_factory=time.perf_counter)

    @property
    def slot(self) -> Slot:
        """Where it is worked on, once it has begun."""
        assert self.assigned is not None
        return self.assigned

    def begin(self, slot: Slot) -> None:
        """Start reading it."""
        self.assigned = slot
        self.queue_seconds = time.perf_counter() - self.submitted

    def finish(self) -> None:
        """End the turn."""
        self.news.put(self._complete(self.generation.turn.text, self.generation.finish or "length"))

    def fail(self, error: Exception) -> None:
        """Let the caller raise this; an error of its own, since an exception belongs to one thread."""
        self.news.put(error)

    def result(self, on_text: OnText | None) -> Completion:
        """Wait for the turn, passing on its text. Whatever `on_text` raises is raised here."""
        text = ""
        while True:
            try:
                news = self.news.get(timeout=TICK)
            except queue.Empty:
                news = ""
            if isinstance(news, Exception):
                raise news
            if isinstance(news, Completion):
                return news
            text += news
            if on_text is not None and on_text(news) is False:
                return self._complete(text, "cancelled")

    def _complete(self, text: str, finish: Finish) -> Completion:
        cached = self.assigned.cached_tokens if self.assigned else 0
        wrote = tuple(self.generation.ids)
        return Completion(text, finish, len(self.prompt.ids), cached, len(wrote), self.queue_seconds, wrote)


class RequestQueue:
    """The waiting requests by owner, and whose turn it is. most: how many may wait."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._owners: OrderedDict[str, deque[TurnRequest]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._owners.values()))

    def __iter__(self) -> Iterator[TurnRequest]:
        """All, in the order in which they would be served: each owner's first, then each owner's second, …"""
        waiting = [list(requests) for requests in self._owners.values()]
        for round in range(max(map(len, waiting), default=0)):
            yield from (requests[round] for requests in waiting if round < len(requests))

    def add(self, request: TurnRequest) -> None:
        """Let it wait behind its owner's others. Raises QueueFull."""
        if len(self) >= self._most:
            raise QueueFull(len(self))
        self._owners.setdefault(request.prompt.owner, deque()).append(request)

    def remove(self, request: TurnRequest, served: bool = True) -> None:
        """Let it wait no longer; if it was served, its owner is last in line now."""
        owner = request.prompt.owner
        self._owners[owner].remove(request)
        if not self._owners[owner]:
            del self._owners[owner]
        elif served:
            self._owners.move_to_end(owner)
