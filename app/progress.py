"""Shows on the terminal which step of a long work is under way and how far it is."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TextIO

Tell = Callable[[str, int, int], None]
"""Is told the step, how much of it is done, and how much there is to do; 0 of 0 when that is not known."""


@contextlib.contextmanager
def shown(out: TextIO | None = None) -> Iterator[Tell]:
    """Bars on a terminal, elsewhere a line for each step as it begins; on standard error by default."""
    screen = sys.stderr if out is None else out
    if screen.isatty():
        with _bars(screen) as tell:
            yield tell
    else:
        yield _Lines(screen)


class _Lines:
    """Writes each step's name once."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._step = ""

    def __call__(self, step: str, done: int, total: int) -> None:
        if step != self._step:
            self._step = step
            self._out.write(f"{step} ...\n")
            self._out.flush()


@contextlib.contextmanager
def _bars(out: TextIO) -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    counts = TextColumn("{task.percentage:>3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), counts, TimeElapsedColumn())
    with Progress(*columns, console=Console(file=out)) as bars:
        tasks: dict[str, TaskID] = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                for earlier in tasks.values():
                    bars.update(earlier, total=1, completed=1)
                tasks[step] = bars.add_task(step, total=None)
            if total:
                bars.update(tasks[step], total=total, completed=done)

        yield tell
        for task in tasks.values():
            bars.update(task, total=1, completed=1)
