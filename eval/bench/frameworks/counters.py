"""What the server has done since it was asked to begin anew."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass


@dataclass(slots=True)
class Counts:
    """Requests of turns, tokens of their prompts, those of them that were evaluated, tokens written, calls of tools.

    model_seconds: in which the model computed. tool_seconds: of all calls together. busy_seconds: in which the server
    had anything to do, a request that waited for the model included.
    """

    requests: int = 0
    prompt_tokens: int = 0
    evaluated: int = 0
    written: int = 0
    calls: int = 0
    model_seconds: float = 0.0
    tool_seconds: float = 0.0
    busy_seconds: float = 0.0


class Counters:
    """The counts, shared by the server's threads."""

    def __init__(self) -> None:
        self._counts = Counts()
        self._lock = threading.Lock()
        self._inside = 0
        self._since = 0.0

    def reset(self) -> None:
        """Begin anew; nothing may be under way."""
        with self._lock:
            self._counts = Counts()

    def read(self) -> dict[str, float]:
        """The counts by name."""
        with self._lock:
            return asdict(self._counts)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """While a request is inside; several at once are counted once."""
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._since = time.perf_counter()
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._counts.busy_seconds += time.perf_counter() - self._since

    def turn(self, prompt: int, evaluated: int, written: int, seconds: float) -> None:
        """A turn was written."""
        with self._lock:
            counts = self._counts
            counts.requests += 1
            counts.prompt_tokens += prompt
            counts.evaluated += evaluated
            counts.written += written
            counts.model_seconds += seconds

    def call(self, seconds: float) -> None:
        """A tool was called."""
        with self._lock:
            self._counts.calls += 1
            self._counts.tool_seconds += seconds
