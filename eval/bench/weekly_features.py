"""How long weekly features take and how much memory, by the number of events.

    python -m eval.bench.weekly_features 100000 1000000 10000000

Each size runs in a process of its own, over a parquet of invented clicks: ten weeks of thirteen items, about 2,000
events a student.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from data.events.schema import SCHEMA, Kind
from data.features.weekly import weekly_features
from data.schedule import Schedule, ScheduledItem

WEEKS, VIDEOS, PROBLEMS = 10, 8, 5
START = datetime(2026, 9, 14)
EACH = 2000
RUN = 5
"""Events in a row on the same object."""


def schedule() -> Schedule:
    """Ten weeks with eight videos and five problems each."""
    planned = [("video", VIDEOS, 12.0), ("problem", PROBLEMS, 5.0)]
    items = (
        ScheduledItem(f"{kind}-{week}-{n}", kind, week, START + timedelta(weeks=week - 1), None, minutes)  # type: ignore[arg-type]
        for week in range(1, WEEKS + 1)
        for kind, count, minutes in planned
        for n in range(count)
    )
    return Schedule(START, "Europe/Zurich", WEEKS, tuple(items))


def clicks(count: int) -> pl.DataFrame:
    """So many events at random times, in no order."""
    draw = np.random.default_rng(0)
    items = schedule().items
    chosen = np.repeat(draw.integers(0, len(items), -(-count // RUN)), RUN)[:count]
    is_video = np.array([item.kind == "video" for item in items])[chosen]
    films = np.array([kind.value for kind in Kind if kind.startswith("video.")])
    kinds = np.where(is_video, films[draw.integers(0, len(films), count)], Kind.PROBLEM_CHECK.value)
    seconds = draw.integers(0, WEEKS * 7 * 86400, count)
    times = np.datetime64(START, "us") + seconds.astype("timedelta64[s]")
    students = draw.integers(0, max(1, count // EACH), count)
    columns = {
        "student": pl.Series(students).cast(pl.String),
        "time": pl.Series(times).dt.replace_time_zone("UTC"),
        "kind": kinds,
        "object": np.array([item.id for item in items])[chosen],
        "value": draw.random(count),
    }
    return pl.DataFrame(columns, schema=SCHEMA)


def measured(path: Path) -> str:
    """One line on computing the features of the events in a file."""
    began = time.perf_counter()
    rows = weekly_features(pl.scan_parquet(path), schedule()).height
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return f"{seconds:.1f} s, peak {peak:.2f} GB, {rows:,} values"


def main() -> None:
    """Measure each size, the smallest first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", type=int, nargs="*", default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--file", type=Path, help="measure this parquet in this process")
    given = parser.parse_args()
    if given.file:
        print(measured(given.file))
        return
    for count in sorted(given.events):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "events.parquet"
            clicks(count).write_parquet(path)
            command = [sys.executable, "-m", "eval.bench.weekly_features", "--file", str(path)]
            told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
            print(f"{count:,} events: {told}", flush=True)


if __name__ == "__main__":
    main()
