"""From a run's logs to the behaviour of its students."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from data.behaviour import Behaviour
from data.build.logs import LogCounts, of_enrolled, read_log
from data.build.sources import Sources
from data.build.steps import Steps
from data.build.tables import DIGITS
from data.build.tolerance import Tolerance
from data.features.weekly import weekly_features
from data.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the course: what it is called in messages, when it was, who was enrolled, its logs."""

    name: str
    schedule: Schedule
    students: Sequence[str]
    logs: Sequence[Path]


def measured(
    run: Run, weeks: int, sources: Sources, work: Path, tolerance: Tolerance, steps: Steps
) -> tuple[Behaviour, LogCounts]:
    """The behaviour of the run's students in the first `weeks` weeks, and what became of its logs.

    An enrolled student without any event in these weeks is missing everywhere: whether they did nothing or
    the log does not know them cannot be told. `work` is a folder for what is only needed meanwhile. Raises
    BundleError.
    """
    timezone = sources.timezone or run.schedule.timezone
    out = work / f"{run.name.split()[0]}.parquet"
    with steps.step(f"reading the logs of the {run.name}") as progress:
        log, counts = read_log(run.logs, sources.format, timezone, out, tolerance, progress)
    return behaviour_in(log, counts, run, weeks, steps)


def behaviour_in(
    log: pl.LazyFrame, counts: LogCounts, run: Run, weeks: int, steps: Steps
) -> tuple[Behaviour, LogCounts]:
    """The same from a log that has been read. Raises BundleError."""
    with steps.step(f"measuring the behaviour of the {run.name}") as progress:
        named = f"{run.name} ({', '.join(map(str, run.logs))})"
        events, counts = of_enrolled(log, counts, run.students, run.schedule, weeks, named)
        table = weekly_features(events, run.schedule, weeks, progress)
        behaviour = Behaviour.of(table, run.students, weeks)
    # Rounded before anything is learned, so that what is stored is what was predicted and explained from.
    return replace(behaviour, values=behaviour.values.round(DIGITS)), counts
