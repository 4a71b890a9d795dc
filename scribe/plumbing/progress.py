"""How long work says how far it is, and how a terminal shows it."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TextIO

OnProgress = Callable[[str, int, int], None]
"""Is called with the step, how much of it is done, and how much there is to do; 0 of 0 when that is not known."""


def ignore_progress(step: str, done: int, total: int) -> None:
    """An OnProgress for whoever does not want to know."""


@contextlib.contextmanager
def show_progress(out: TextIO | None = None) -> Iterator[OnProgress]:
    """Show a bar for each step on a terminal, elsewhere a line as each begins; on standard error by default."""
    screen = sys.stderr if out is None else out
    with _show_bars(screen) if screen.isatty() else _show_lines(screen) as on_progress:
        yield on_progress


@contextlib.contextmanager
def _show_lines(out: TextIO) -> Iterator[OnProgress]:
    begun = ""

    def on_progress(step: str, done: int, total: int) -> None:
        nonlocal begun
        if step != begun:
            begun = step
            print(f"{step} ...", file=out, flush=True)

    yield on_progress


@contextlib.contextmanager
def _show_bars(out: TextIO) -> Iterator[OnProgress]:
    from rich.console import Console  # takes its time to load, and most commands show nothing
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    percent = TextColumn("{task.percentage:>3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), percent, TimeElapsedColumn())
    with Progress(*columns, console=Console(file=out)) as bars:
        tasks: dict[str, TaskID] = {}

        def fill() -> None:
            for task in tasks.values():
                bars.update(task, total=1, completed=1)

        def on_progress(step: str, done: int, total: int) -> None:
            if step not in tasks:
                fill()
                tasks[step] = bars.add_task(step, total=None)
            if total:
                bars.update(tasks[step], total=total, completed=done)

        yield on_progress
        fill()
