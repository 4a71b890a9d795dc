"""How far a run is: a bar on a terminal, a line now and then elsewhere; always on the error output."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TextIO

from app.batch.result import RowResult

LINE_SECONDS = 10.0
"""Between two plain lines, so that a log stays readable."""


@dataclass(slots=True)
class BatchPace:
    """How many of the `wanted` rows are done: `before` by earlier runs, `counts` of this one by status.

    `trouble` says why the first row that failed did so.
    """

    wanted: int
    before: int = 0
    clock: Callable[[], float] = time.monotonic
    counts: Counter[str] = field(default_factory=Counter)
    trouble: str = ""
    begun: float = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.clock()

    @property
    def done(self) -> int:
        return self.before + self.counts.total()

    def count(self, result: RowResult) -> None:
        self.counts[result.status] += 1
        if result.error and not self.trouble:
            self.trouble = f"{result.record.id}: {result.error.type}: {result.error.message}"

    def describe(self) -> str:
        """One line, e.g. "120 of 200 done, 3 unresolved, 1 failed; 14.2 a minute, about 6 min left"."""
        words = {"unresolved": "unresolved", "error": "failed"}
        parts = [f"{self.counts[status]} {word}" for status, word in words.items() if self.counts[status]]
        line = ", ".join([f"{self.done} of {self.wanted} done", *parts])
        seconds, answered = self.clock() - self.begun, self.counts.total()
        if not answered or seconds <= 0:
            return line
        minutes = (self.wanted - self.done) * seconds / answered / 60
        left = f"{60 * minutes:.0f} s" if minutes < 1.5 else f"{minutes:.0f} min"
        rate = f"{line}; {answered / seconds * 60:.1f} a minute"
        return f"{rate}, about {left} left" if minutes else rate


@contextlib.contextmanager
def show_pace(out: TextIO, pace: BatchPace) -> Iterator[Callable[[], None]]:
    """Yield what shows the pace, called whenever a row is done and while none is: a bar on a terminal, else lines."""
    if not out.isatty():
        yield _make_line_writer(out, pace)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(file=out), transient=True) as bars:
        task = bars.add_task("", total=pace.wanted)
        yield lambda: bars.update(task, completed=pace.done, description=pace.describe())


def _make_line_writer(out: TextIO, pace: BatchPace) -> Callable[[], None]:
    """Writes a line at most every `LINE_SECONDS`, when something has changed."""
    due, last = 0.0, -1

    def show() -> None:
        nonlocal due, last
        if pace.clock() >= due and pace.done != last:
            due, last = pace.clock() + LINE_SECONDS, pace.done
            print(pace.describe(), file=out, flush=True)

    return show
