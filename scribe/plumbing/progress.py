"""How long work says how far it is, and how a terminal shows it."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TextIO

OnProgress = Callable[[str, int, int], None]
"""Is called with the step, how much of it is done, and how much there is to do; 0 of 0 when that is not known.

What stands behind a comma is a note on the step ("judging, 2 failed"), and may change while it goes on.
"""
OnCount = Callable[[int, int], object]
"""Is called with how much of one step is done, and how much there is to do."""
LINE_SECONDS = 10.0
"""Between two plain lines on one step, so that a log stays readable."""


def ignore_progress(step: str, done: int, total: int) -> None:
    """An OnProgress for whoever does not want to know."""


@contextlib.contextmanager
def show_progress(out: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> Iterator[OnProgress]:
    """Show a bar for each step on a terminal, elsewhere a line as it begins and now and then; by default on stderr."""
    screen = sys.stderr if out is None else out
    with _show_bars(screen) if screen.isatty() else _show_lines(screen, clock) as on_progress:
        yield on_progress


@contextlib.contextmanager
def _show_lines(out: TextIO, clock: Callable[[], float]) -> Iterator[OnProgress]:
    begun, due, last = "", 0.0, 0

    def on_progress(step: str, done: int, total: int) -> None:
        nonlocal begun, due, last
        name = step.partition(", ")[0]
        if name == begun and (clock() < due or done == last):
            return
        print(f"{step} ..." if name != begun else f"{step}: {done:,} of {total:,}", file=out, flush=True)
        begun, due, last = name, clock() + LINE_SECONDS, done

    yield on_progress


@contextlib.contextmanager
def _show_bars(out: TextIO) -> Iterator[OnProgress]:
    from rich.console import Console  # takes its time to load, and most commands show nothing
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    percent = TextColumn("{task.percentage:>3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), percent, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=out)) as bars:
        tasks: dict[str, TaskID] = {}

        def fill() -> None:
            for task in tasks.values():
                bars.update(task, total=1, completed=1)

        def on_progress(step: str, done: int, total: int) -> None:
            name = step.partition(", ")[0]
            if name not in tasks:
                fill()
                tasks[name] = bars.add_task(step, total=None)
            bars.update(tasks[name], description=step)
            if total:
                bars.update(tasks[name], total=total, completed=done)

        yield on_progress
        fill()
