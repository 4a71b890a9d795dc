"""How far a run is: a bar on a terminal, a line now and then elsewhere; always on the error output."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TextIO

from app.batch.result import RowResult

LINE_SECONDS = 10.0
"""Between two plain lines, so that a log stays readable."""


@dataclass(slots=True)
class BatchPace:
    """Counts of one run: `wanted` rows in all, `before` of them done by earlier runs.

    `trouble` says why the first row that failed did so.
    """

    wanted: int
    before: int = 0
    clock: Callable[[], float] = time.monotonic
    ok: int = 0
    unresolved: int = 0
    error: int = 0
    trouble: str = ""
    _begun: float = field(init=False)

    def __post_init__(self) -> None:
        self._begun = self.clock()

    @property
    def answered(self) -> int:
        """Rows that this run has done."""
        return self.ok + self.unresolved + self.error

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return self.clock() - self._begun

    def count(self, result: RowResult) -> None:
        """One more row ended like this."""
        setattr(self, result.status, getattr(self, result.status) + 1)
        if result.error and not self.trouble:
            self.trouble = f"{result.record.id}: {result.error.type}: {result.error.message}"

    @property
    def told(self) -> str:
        """One line, e.g. "120 of 200 done, 3 unresolved, 1 failed; 14.2 a minute, about 6 min left"."""
        done = self.before + self.answered
        parts = [f"{done} of {self.wanted} done"]
        trouble = ((self.unresolved, "unresolved"), (self.error, "failed"))
        parts += [f"{count} {word}" for count, word in trouble if count]
        line = ", ".join(parts)
        if not self.answered or self.seconds <= 0:
            return line
        rate = self.answered / self.seconds
        left = f", about {_spoken((self.wanted - done) / rate)} left" if done < self.wanted else ""
        return f"{line}; {rate * 60:.1f} a minute{left}"


class PaceScreen(Protocol):
    """Where the pace is shown."""

    def show(self, pace: BatchPace) -> None:
        """Called whenever a row is done and while none is."""
        ...

    def close(self) -> None:
        """The run is over."""
        ...


@dataclass(slots=True)
class PlainLines:
    """A line at most every `LINE_SECONDS`, when something has changed."""

    out: TextIO
    clock: Callable[[], float] = time.monotonic
    _next: float = 0.0
    _said: int = -1

    def show(self, pace: BatchPace) -> None:
        if self.clock() >= self._next and pace.answered != self._said:
            self._next, self._said = self.clock() + LINE_SECONDS, pace.answered
            print(pace.told, file=self.out, flush=True)

    def close(self) -> None:
        """The summary follows anyway."""


class RunningBar:
    """A bar that stays in its line."""

    def __init__(self, wanted: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (BarColumn(), TextColumn("{task.description}"))
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=wanted)
        self._progress.start()

    def show(self, pace: BatchPace) -> None:
        self._progress.update(self._task, completed=pace.before + pace.answered, description=pace.told)

    def close(self) -> None:
        self._progress.stop()


def screen(out: TextIO, wanted: int) -> PaceScreen:
    """A bar if somebody watches, else lines."""
    return RunningBar(wanted) if out.isatty() else PlainLines(out)


def _spoken(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
