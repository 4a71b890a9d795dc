"""From event logs to one file of events."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from data.events.formats import FORMATS
from data.events.lines import read_blocks
from data.events.schema import COLUMNS, SCHEMA, EventBatch, EventsError, TooManyErrors
from data.schedule import check_zone
from scribe.plumbing.progress import OnCount

SHOWN = 100  # Problems that are kept in full however many are allowed
FIRST = 3  # Problems that are named when no event is left
ROW_GROUP = 100_000  # Rows of a parquet row group; as students are sorted, a reader can skip those it does not need


@dataclass(slots=True)
class LogCounts:
    """What became of every row of a run's logs."""

    rows: int = 0  # the sum of the next five
    kept: int = 0  # the sum of outside, others_clicks and used
    duplicates: int = 0
    nobody: int = 0  # clicks by no student: not logged in, or staff logged in as one
    malformed: int = 0
    unknown: dict[str, int] = field(default_factory=dict)  # counts of kinds we do not know, by name
    outside: int = 0  # not in the weeks looked at
    others: int = 0  # students who are not enrolled
    others_clicks: int = 0
    silent: int = 0  # enrolled students without any event in these weeks
    used: int = 0


def read_events(
    paths: Sequence[Path],
    out: Path,
    source: str,
    timezone: str = "UTC",
    max_errors: int = 100,
    progress: OnCount = lambda done, total: None,
) -> tuple[LogCounts, list[str]]:
    """Read a platform's logs, plain or gz, into one parquet of `schema.SCHEMA`. source: one of `FORMATS`, not `OWN`.

    Sorted by student and time, each event once. Returns the counts, and 'file:line: reason' of the first malformed
    lines. timezone: of times without an offset (Moodle's). Raises EventsError with file and line.
    """
    try:
        check_zone(timezone)
    except ValueError as error:
        raise EventsError(str(error)) from error
    counts, unknown, problems = LogCounts(), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
        for number, (path, batch) in enumerate(_read_batches(paths, source, timezone, progress)):
            counts.rows += batch.rows
            counts.nobody += batch.nobody
            counts.malformed += batch.problems.height
            unknown.update(batch.unknown)
            first = batch.problems.head(SHOWN - len(problems))
            problems += [f"{path}:{line}: {reason}" for line, reason in first.iter_rows()]
            if counts.malformed > max_errors:
                raise TooManyErrors("too many lines of the logs are malformed", max_errors, problems)
            batch.events.write_parquet(Path(folder) / f"{number:06}.parquet")
        pieces = [pl.scan_parquet(piece) for piece in sorted(Path(folder).iterdir())]
        events = pl.concat([pl.LazyFrame(schema=SCHEMA), *pieces]).unique().sort(COLUMNS).collect(engine="streaming")
    counts.kept, counts.unknown = events.height, dict(unknown.most_common())
    if not counts.kept:
        raise EventsError(_explain_nothing(paths, counts, problems))
    events.write_parquet(out, row_group_size=ROW_GROUP)
    counts.duplicates = counts.rows - counts.kept - counts.nobody - counts.malformed - unknown.total()
    return counts, problems


def _explain_nothing(paths: Sequence[Path], counts: LogCounts, problems: Sequence[str]) -> str:
    names = ", ".join(f"{name} ({times})" for name, times in list(counts.unknown.items())[:5])
    unknown = f"{sum(counts.unknown.values())} of unknown kinds{': ' if names else ''}{names}"
    parts = f"{counts.malformed} malformed; {counts.nobody} by nobody; {unknown}"
    reason = f"{', '.join(map(str, paths))}: no event could be used; of {counts.rows} rows there are {parts}"
    return "\n  ".join([f"{reason}; the first malformed are:", *problems[:FIRST]]) if problems else reason


def _read_batches(
    paths: Sequence[Path], source: str, timezone: str, progress: OnCount
) -> Iterator[tuple[Path, EventBatch]]:
    try:
        sizes = [path.stat().st_size for path in paths]  # an absent file is found out before any is read
    except OSError as error:
        raise EventsError(f"{error.filename}: cannot be read: {error.strerror or error}") from error
    read = FORMATS[source].read
    assert read, f"{source} is no platform's"
    for number, path in enumerate(paths):

        def report(done: int, before: int = sum(sizes[:number])) -> None:
            progress(before + done, sum(sizes))

        blocks = read_blocks(path, report)
        yield from ((path, batch) for batch in read(blocks, path, timezone))
