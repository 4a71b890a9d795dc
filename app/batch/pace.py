"""How far a run is: a bar with the time left on a terminal, a line now and then elsewhere."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_SECONDS = 10.0
"""Between two plain lines, so that a log stays readable."""
SPEED_SECONDS = 600.0
"""The last answers by which the time left is estimated."""


@contextlib.contextmanager
def show_pace(
    out: TextIO, wanted: int, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int, int], None]]:
    """Yield what shows how many of the `wanted` rows are done and failed, called again and again."""
    console = Console(file=out)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    hidden = not console.is_terminal
    due, last = 0.0, -1

    def show(done: int, failed: int) -> None:
        nonlocal due, last
        told = f", {failed} failed" if failed else ""
        bars.update(task, completed=done, description=told.removeprefix(", "))
        if hidden and clock() >= due and done != last:
            due, last = clock() + LINE_SECONDS, done
            print(f"{done} of {wanted} done{told}", file=out, flush=True)

    with Progress(
        *columns, console=console, transient=True, disable=hidden, speed_estimate_period=SPEED_SECONDS
    ) as bars:
        task = bars.add_task("", total=wanted)
        yield show
