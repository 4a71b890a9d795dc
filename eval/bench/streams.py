"""Streams of tokens, watched where they are heard: how long until the first one, how long between two."""

import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scribe.backend import Backend, Completion, Constraint, OnText, Sampling
from scribe.messages import Message


@dataclass(slots=True)
class Delays:
    """Seconds, counted by the millisecond, so that it takes no more memory however many there are."""

    counts: Counter[int] = field(default_factory=Counter)
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one more."""
        self.counts[int(1000 * seconds)] += 1
        self.longest = max(self.longest, seconds)

    def quantile(self, share: float) -> float:
        """Seconds, to the millisecond, than which this share of all are not longer; 0 if there are none."""
        left = share * sum(self.counts.values())
        for milliseconds in sorted(self.counts):
            left -= self.counts[milliseconds]
            if left <= 0:
                return milliseconds / 1000
        return self.longest

    def numbers(self) -> dict[str, float]:
        """Seconds: the median, what 99 of 100 are not longer than, and the longest."""
        spread = {"median": self.quantile(0.5), "99%": self.quantile(0.99), "longest": round(self.longest, 3)}
        return {"count": sum(self.counts.values()), **spread}


@dataclass(slots=True)
class Streams:
    """A backend that passes everything on. gaps: between two pieces of a turn. firsts: from prompt to first piece."""

    backend: Backend
    gaps: Delays = field(default_factory=Delays)
    firsts: Delays = field(default_factory=Delays)
    tokens: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def info(self) -> Mapping[str, str]:
        return self.backend.info

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        last, begun = time.perf_counter(), False

        def heard(piece: str) -> bool | None:
            nonlocal last, begun
            if piece:  # an empty one only asks whether to go on
                now = time.perf_counter()
                with self._lock:
                    (self.gaps if begun else self.firsts).add(now - last)
                last, begun = now, True
            return on_text(piece) if on_text is not None else None

        said = self.backend.complete(prompt, sampling, constraint, heard, owner)
        with self._lock:
            self.tokens += said.completion_tokens
        return said
