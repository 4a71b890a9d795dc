"""The steps of a build: what is under way, how far it is, how long each took."""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Tell = Callable[[str, int, int], None]
"""Is told the step, how much of it is done, and how much there is to do; 0 of 0 when that is not known."""
Progress = Callable[[int, int], None]


def silent(step: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class Steps:
    """Names the steps to whoever listens, and keeps their seconds."""

    tell: Tell = silent
    seconds: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[Progress]:
        """One step; what it yields is told how much is done."""
        began = time.perf_counter()
        self.tell(name, 0, 0)
        yield lambda done, total: self.tell(name, done, total)
        self.seconds[name] = time.perf_counter() - began
