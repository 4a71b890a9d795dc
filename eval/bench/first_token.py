"""Figure 3: how long until something comes, for a student's second question and after a restart, against cold.

    python -m eval.bench.first_token --students 8

For each student, with nobody else there: an engine that has read nothing is asked the student's first question (cold)
and then the second. Another one that has read nothing is asked the second question (cold too). A third one, which finds
on disk what is nobody's text, kept there by an engine before it, is asked the first. "First token": the first text
that the model writes, which is what reading less saves. "First visible": the first whole sentence of the answer, after
all calls of tools, as the page shows it (but unchecked, the same for all). Starting an engine is not in these times; it
is shown below the table.
"""

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from eval.asking import Asking, Written
from eval.bench import options
from eval.bench.apart import apart, tell
from eval.bench.contenders import Conditions, engine_of, warm
from eval.bench.table import Figure, count, ratio
from eval.bench.watching import Seen, Watching

HEAD = ("median", "first token, ms", "cold / this", "first visible, ms", "cold / this", "prompt tokens read before it")
FIRST, SECOND = "first question, cold", "second question, cold"
RESTARTED, GOES_ON = "first question, restarted with what was kept", "second question, after the first"
COLD = {FIRST: FIRST, RESTARTED: FIRST, SECOND: SECOND, GOES_ON: SECOND}
AT_ONCE = 4
"""Places of the engine, as it comes."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    options.add(parser)
    parser.set_defaults(students=8)


def run(given: argparse.Namespace) -> Figure:
    """All four cases for each student."""
    given.each = 2
    under = options.conditions(given)
    tell(f"first tokens of {given.students} students")
    seen, starts = apart(watched, under, given.students)
    notes = [f"Starting an engine: {_median_ms(starts[name])} ms {name}." for name in starts]
    title = f"Time to the first token, {given.students} students"
    numbers = {name: [asdict(each) for each in cases] for name, cases in seen.items()}
    return Figure(title, options.said(under), HEAD, [row(name, seen) for name in COLD], numbers, notes)


def watched(under: Conditions, students: int) -> tuple[dict[str, list[Seen]], dict[str, list[float]]]:
    """By case what was seen for each student, and seconds that engines took to start."""
    asking = warm(under.recorded)
    seen: dict[str, list[Seen]] = defaultdict(list)
    starts: dict[str, list[float]] = defaultdict(list)

    def asked(cases: dict[str, Written], prefixes: Path | None = None) -> None:
        began = time.perf_counter()
        engine = engine_of(under, AT_ONCE, prefixes)
        starts["with kept prefix" if prefixes else "cold"].append(time.perf_counter() - began)
        for name, written in cases.items():
            seen[name].append(_seen(asking, Watching(engine), written))
        engine.close()

    with tempfile.TemporaryDirectory() as folder:
        _keep(under, Path(folder), asking)
        for first, second in zip(under.recorded.questions[:students], under.recorded.questions[students:], strict=True):
            asked({FIRST: first, GOES_ON: second})
            asked({SECOND: second})
            asked({RESTARTED: first}, Path(folder))
            tell(first.student)
    return dict(seen), dict(starts)


def row(name: str, seen: dict[str, list[Seen]]) -> Sequence[str]:
    """A row of the table: medians over students, ratios of medians."""
    this, cold = (statistics.median(each.token for each in seen[case]) for case in (name, COLD[name]))
    shown = ([each.visible for each in seen[case] if each.visible is not None] for case in (name, COLD[name]))
    visible, cold_visible = (statistics.median(times or [0.0]) for times in shown)
    read = statistics.median(each.read for each in seen[name])
    times = f"{1000 * this:.0f}", ratio(cold, this), f"{1000 * visible:.0f}", ratio(cold_visible, visible)
    return name, *times, count(read)


def _keep(under: Conditions, folder: Path, asking: Asking) -> None:
    """Let an engine leave on disk what is nobody's text."""
    engine = engine_of(under, AT_ONCE, folder)
    _seen(asking, Watching(engine), under.recorded.questions[0])
    engine.close()


def _seen(asking: Asking, watching: Watching, written: Written) -> Seen:
    asking.backend = watching
    asking.answer(written)
    return watching.seen()


def _median_ms(seconds: Sequence[float]) -> str:
    return f"{1000 * statistics.median(seconds):.0f}"


def main() -> None:
    """Print the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    given = parser.parse_args()
    run(given).show(given.json)


if __name__ == "__main__":
    main()
