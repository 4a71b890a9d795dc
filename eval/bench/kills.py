"""Figure 6: `scribe answer`, killed at random moments again and again, then let run to its end.

    python -m eval.bench.kills

Each kill is `kill -9`, mostly between a run's first line and its end, sometimes while it starts. After each one every
whole line of the file must be a record in JSON; at the end no row may be missing, there twice, or hold another's
answer. The program is the real one. Its model is the one that comes with Scribe (`embedded`), or one behind an address
that answers by the question (`scripted`): that one takes no time, so what is killed is mostly writing.
"""

import argparse
import contextlib
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from data.pretrained.shipped import open_shipped_gguf
from eval.bench import machine
from eval.bench.apart import tell
from eval.bench.batch import Batch, rows, scripted
from eval.bench.killed import HEAD, Found, Kills, found, lines
from eval.bench.scripted_server import serving
from eval.bench.table import Figure
from scribe.errors import UsageError

DELAY, PACE = 0.01, 0.2
"""Seconds for an answer: what the scripted model takes, and a guess for ours, which is corrected by what is seen."""
EARLY = 0.1
"""The share of kills that do not wait for a first line."""
USED = 0.5
"""The share of the rows that all kills together may use up, so that some are left for the last run."""


def killed_and_resumed(batch: Batch, kills: int, tell: Callable[[str], None], seed: int = 0) -> Found:
    """Run a batch, killed `kills` times, then to its end. Raises RecordError for a bad line."""
    moments, began = random.Random(seed), time.perf_counter()
    so_far, pace = Kills(), batch.pace
    while so_far.done < kills:
        before = lines(batch.out)[0]
        tell(f"kill {so_far.done + 1} of {kills}, {before} of {len(batch.rows)} rows are there")
        lived = _killed(batch, moments, longest=2 * USED * pace * len(batch.rows) / kills)
        if lived is None:
            break
        after, torn = lines(batch.out)
        so_far = Kills(so_far.done + 1, so_far.midway + (after > before), so_far.torn + torn)
        if after > before and lived:
            pace += 0.3 * (lived / (after - before) - pace)
    tell("the last run")
    with batch.start() as run:
        code = run.wait()
    lines(batch.out)
    return found(batch.out, batch.rows, batch.right, so_far, code, time.perf_counter() - began)


def _killed(batch: Batch, moments: random.Random, longest: float) -> float | None:
    """Start a run and kill it a random while after its first line, or sometimes before.

    Returns the seconds that it lived from its first line on, or None if it was done before it was killed.
    """
    before = batch.size
    with batch.start() as run:
        if moments.random() >= EARLY:
            while run.poll() is None and batch.size <= before:
                time.sleep(0.002)
        began = time.perf_counter()
        time.sleep(moments.random() * longest)
        if run.poll() is not None:
            return None
        run.send_signal(signal.SIGKILL)
        return time.perf_counter() - began if batch.size > before else 0.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--model", choices=("embedded", "scripted"), default="embedded")
    parser.add_argument("--kills", type=int, default=50, metavar="N")
    parser.add_argument("--rows", type=int, default=200, metavar="N")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of the processor (default: 2)")
    parser.add_argument("--parallel", type=int, default=4, metavar="N", help="rows at a time (default: 4)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def run(given: argparse.Namespace) -> Figure:
    """Kill it, and let it end. Raises UsageError if fewer runs could be killed than were wanted."""
    parallel = ("--parallel", str(given.parallel))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as until:
        if given.model == "scripted":
            server = until.enter_context(serving(DELAY))
            batch = scripted(rows(given.rows), Path(folder), server, parallel)
        else:
            threads = {"SCRIBE_MODEL_THREADS": str(given.threads)}
            batch = Batch(rows(given.rows), Path(folder), parallel, threads, pace=PACE)
        what = killed_and_resumed(batch, given.kills, tell)
    if what.kills < given.kills:
        raise UsageError(f"the batch was done after {what.kills} kills; give more --rows")
    title = f"`scribe answer`, {given.rows} questions, killed {given.kills} times, {given.model} model"
    end = "All is well." if what.good else f"SOMETHING IS WRONG, exit code {what.code}."
    return Figure(title, machine.line(open_shipped_gguf(), given.threads), HEAD, [what.row()], what.numbers(), [end])


def main() -> int:
    """Print the figure, and return 0 if nothing was lost, there twice or wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    given = parser.parse_args()
    figure = run(given)
    figure.show(given.json)
    return 0 if figure.numbers["good"] else 1


if __name__ == "__main__":
    sys.exit(main())
