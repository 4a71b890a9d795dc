"""How far a run is: a bar on a terminal, a line now and then elsewhere; always on the error output."""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TextIO

from app.batch.result import RowResult

Clock = Callable[[], float]
LINE_SECONDS = 10.0
"""Between two plain lines, so that a log stays readable."""


@dataclass(slots=True)
class BatchPace:
    """Counts of one run: `wanted` rows in all, `before` of them done by earlier runs.

    `trouble` says why the first row that failed did so.
    """

    wanted: int
    before: int = 0
    clock: Clock = time.monotonic
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

    def describe(self) -> str:
        """One line, e.g. "120 of 200 done, 3 unresolved, 1 failed; 14.2 a minute, about 6 min left"."""
        done = self.before + self.answered
        parts = [f"{done} of {self.wanted} done"]
        trouble = ((self.unresolved, "unresolved"), (self.error, "failed"))
        parts += [f"{count} {word}" for count, word in trouble if count]
        line = ", ".join(parts)
        if not self.answered or self.seconds <= 0:
            return line
        rate = self.answered / self.seconds
        left = f", about {_format_seconds((self.wanted - done) / rate)} left" if done < self.wanted else ""
        return f"{line}; {rate * 60:.1f} a minute{left}"


@contextlib.contextmanager
def show_pace(out: TextIO, wanted: int, clock: Clock = time.monotonic) -> Iterator[Callable[[BatchPace], None]]:
    """Yield what shows a pace, called whenever a row is done and while none is: a bar on a terminal, else lines."""
    if not out.isatty():
        yield _line_writer(out, clock)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(file=out), transient=True) as bars:
        task = bars.add_task("", total=wanted)
        yield lambda pace: bars.update(task, completed=pace.before + pace.answered, description=pace.describe())


def _line_writer(out: TextIO, clock: Clock) -> Callable[[BatchPace], None]:
    """Writes a line at most every `LINE_SECONDS`, when something has changed."""
    due, last = 0.0, -1

    def show(pace: BatchPace) -> None:
        nonlocal due, last
        if clock() >= due and pace.answered != last:
            due, last = clock() + LINE_SECONDS, pace.answered
            print(pace.describe(), file=out, flush=True)

    return show


def _format_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
