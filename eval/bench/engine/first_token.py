"""How long until something comes, for a student's second question and after a restart, against cold.

    scribe bench first-token

For each student, with nobody else there: an engine that has read nothing is asked the first question (cold) and then
the second. Another one that has read nothing is asked the second question (cold too). A third one, which finds the
text that is the same for all students on disk, kept there by an engine before it, is asked the first. "First token":
the first text that the model writes. "First words": the first sentence of the answer that is shown, after all calls of
tools and checked, as on the page. Starting an engine is not in these times; it is shown below the table.
"""

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from eval.bench.engine import conditions
from eval.bench.engine.conditions import Conditions
from eval.bench.engine.timing import FirstWords, TimedBackend, TimedTurn
from eval.bench.figure import Figure, format_count, format_ratio
from eval.bench.processes import log_progress, run_apart
from eval.questions import WrittenQuestion

HEAD = ("median", "first token, ms", "cold / this", "first words, ms", "cold / this", "prompt tokens read before it")
FIRST, SECOND = "first question, cold", "second question, cold"
RESTARTED, GOES_ON = "first question, restarted with what was kept", "second question, after the first"
COLD = {FIRST: FIRST, RESTARTED: FIRST, SECOND: SECOND, GOES_ON: SECOND}


@dataclass(frozen=True, slots=True)
class FirstSeen:
    """Seconds until the first text and the first shown words of an answer; tokens read of the first prompt."""

    token: float
    words: float | None
    read: int


def measure_first_tokens(
    under: Conditions, students: int, at_once: int
) -> tuple[dict[str, list[FirstSeen]], dict[str, list[float]]]:
    """By case what was seen for each student, and seconds that engines took to start.

    The first questions of all students stand before the second ones.
    """
    seen: dict[str, list[FirstSeen]] = defaultdict(list)
    starts: dict[str, list[float]] = defaultdict(list)

    def ask(cases: Mapping[str, WrittenQuestion], prefixes: Path | None = None) -> None:
        began = time.perf_counter()
        engine = under.make_engine(at_once, prefixes)
        starts["with kept prefix" if prefixes else "cold"].append(time.perf_counter() - began)
        turns: list[TimedTurn] = []
        answerer = under.make_answerer(TimedBackend(engine, turns.append))
        for name, written in cases.items():
            turns.clear()
            words, began = FirstWords(), time.perf_counter()
            answerer.answer(written, words)
            token = next(turn.pieces[0] for turn in turns if turn.pieces) - began
            seen[name].append(FirstSeen(token, words.since(began), turns[0].evaluated))
        engine.close()

    with tempfile.TemporaryDirectory() as name:
        ask({"kept": under.questions[0]}, Path(name))
        starts.clear()
        for first, second in zip(under.questions[:students], under.questions[students:], strict=True):
            ask({FIRST: first, GOES_ON: second})
            ask({SECOND: second})
            ask({RESTARTED: first}, Path(name))
            log_progress(first.student)
    return dict(seen), dict(starts)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    conditions.add_options(parser, students=8, each=2, parallel=4)


def run(given: argparse.Namespace) -> Figure:
    """All four cases for each student."""
    given.each = 2
    under = conditions.read_conditions(given)
    seen, starts = run_apart(measure_first_tokens, under, given.students, given.parallel)
    notes = [f"Starting an engine: {1000 * median(starts[name]):.0f} ms {name}." for name in starts]
    numbers = {name: [asdict(each) for each in seen[name]] for name in COLD}
    rows = [make_row(name, seen) for name in COLD]
    return Figure(f"Time to the first token, {given.students} students", under.machine, HEAD, rows, numbers, notes)


def make_row(name: str, seen: Mapping[str, Sequence[FirstSeen]]) -> Sequence[str]:
    """A row of the table: medians over students, ratios of medians."""
    this, cold = (median(each.token for each in seen[case]) for case in (name, COLD[name]))
    shown = ([each.words for each in seen[case] if each.words is not None] for case in (name, COLD[name]))
    words, cold_words = (median(times or [0.0]) for times in shown)
    times = f"{1000 * this:.0f}", format_ratio(cold, this), f"{1000 * words:.0f}", format_ratio(cold_words, words)
    return name, *times, format_count(median(each.read for each in seen[name]))
