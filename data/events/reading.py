"""From event logs to one file of events."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from data.events import edx, moodle
from data.events.clock import check_zone
from data.events.lines import read_blocks
from data.events.schema import COLUMNS, SCHEMA, EventBatch, EventsError, MalformedEvents
from scribe.plumbing.progress import OnCount

Source = Literal["edx", "moodle"]
SHOWN = 100
"""Problems that are kept in full however many are allowed."""
FIRST = 3
"""Problems that are named when no event is left."""
NAMES = 1000
"""Unknown kinds that are counted by name; a log with more is not what it was said to be."""
OTHERS = "(others)"

PIECE = 200_000
"""Events held before they are written to a piece, which is sorted by student."""
GROUP = 1_000_000
"""Events of neighbouring students that are sorted at once; a student with more is sorted in one go."""
ROW_GROUP = 100_000
"""Rows of a parquet row group; as students are sorted, a reader can skip those it does not need."""


@dataclass(slots=True)
class IngestCounts:
    """What became of every row that was read.

    rows: all of them, the sum of kept, duplicates, nobody, malformed and all of unknown.
    unknown: counts of kinds we do not know, by name.
    nobody: clicks by no student (not logged in, or staff logged in as one).
    problems: 'file:line: reason' of the first malformed rows.
    """

    rows: int = 0
    kept: int = 0
    duplicates: int = 0
    nobody: int = 0
    malformed: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, batch: EventBatch, path: Path) -> None:
        """Count a batch of a file."""
        self.rows += batch.rows
        self.nobody += batch.nobody
        for name, times in batch.unknown.items():
            self.unknown[name if name in self.unknown or len(self.unknown) < NAMES else OTHERS] += times
        self.malformed += batch.problems.height
        first = batch.problems.head(SHOWN - len(self.problems))
        self.problems += [f"{path}:{line}: {reason}" for line, reason in first.iter_rows()]

    def explain_nothing(self, paths: Sequence[Path]) -> str:
        """Say why no event is left."""
        names = ", ".join(f"{name} ({times})" for name, times in self.unknown.most_common(5))
        files = ", ".join(map(str, paths)) or "no file"
        unknown = f"{self.unknown.total()} of unknown kinds{': ' if names else ''}{names}"
        parts = f"{self.malformed} malformed; {self.nobody} by nobody; {unknown}"
        reason = f"{files}: no event could be used; of {self.rows} rows there are {parts}"
        if not self.problems:
            return reason
        return "\n  ".join([f"{reason}; the first malformed are:", *self.problems[:FIRST]])


def read_events(
    paths: Sequence[Path],
    out: Path,
    source: Source,
    timezone: str = "UTC",
    max_errors: int = 100,
    progress: OnCount | None = None,
) -> IngestCounts:
    """Read edX tracking logs or Moodle log exports, plain or gz, into one parquet of `schema.SCHEMA`.

    The file is sorted by student and time, holds each event once, and is written whole or not at all. Memory does
    not grow with the logs. `timezone` is that of times without an offset (Moodle's; edX logs are in UTC).
    `progress` counts the bytes of all files. Raises EventsError, naming file and line, for what cannot be read and for
    more than `max_errors` malformed lines.
    """
    if source not in get_args(Source):
        raise EventsError(f"there is no reader for {source!r}; there are: {', '.join(get_args(Source))}")
    check_zone(timezone)
    counts = IngestCounts()
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
            sorter = EventSorter(Path(folder))
            for path, batch in _read_batches(paths, source, timezone, progress):
                counts.add(batch, path)
                if counts.malformed > max_errors:
                    raise MalformedEvents(max_errors, counts.problems)
                sorter.add(batch.events)
            whole = Path(folder) / "whole.parquet"
            counts.kept = sorter.write(whole)
            if not counts.kept:
                raise EventsError(counts.explain_nothing(paths))
            whole.replace(out)
    except OSError as error:
        raise EventsError(f"{out}: cannot be written: {error.strerror or error}") from error
    counts.duplicates = counts.rows - counts.kept - counts.nobody - counts.malformed - counts.unknown.total()
    return counts


def _read_batches(
    paths: Sequence[Path], source: Source, timezone: str, progress: OnCount | None
) -> Iterator[tuple[Path, EventBatch]]:
    sizes = [_measure(path) for path in paths]
    for number, path in enumerate(paths):
        before = sum(sizes[:number])

        def report(done: int, before: int = before) -> None:
            if progress is not None:
                progress(before + done, sum(sizes))

        blocks = read_blocks(path, report)
        batches = map(edx.read_batch, blocks) if source == "edx" else moodle.read_batches(blocks, path, timezone)
        for batch in batches:
            yield path, batch


def _measure(path: Path) -> int:
    """Bytes of a file; an absent file is found out before any is read."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise EventsError(f"{path}: cannot be read: {error.strerror or error}") from error


@dataclass(slots=True)
class EventSorter:
    """Puts events of any number into one sorted file without duplicates, while few are held in memory.

    folder: where pieces lie meanwhile. piece, group: see PIECE and GROUP.
    """

    folder: Path
    piece: int = PIECE
    group: int = GROUP
    _held: list[pl.DataFrame] = field(default_factory=list)
    _files: list[Path] = field(default_factory=list)
    _counts: list[pl.DataFrame] = field(default_factory=list)

    def add(self, events: pl.DataFrame) -> None:
        """Take events with the columns of `schema.SCHEMA`."""
        self._held.append(events)
        if sum(each.height for each in self._held) >= self.piece:
            self._write_piece()

    def write(self, out: Path) -> int:
        """Write all events to `out`, sorted by student and time, each once; returns how many those are."""
        self._write_piece()
        parts = [self._write_group(first, last, number) for number, (first, last) in enumerate(self._groups())]
        empty = pl.LazyFrame(schema=SCHEMA)
        whole = pl.concat([empty, *(pl.scan_parquet(path) for path, _ in parts)])
        whole.sink_parquet(out, row_group_size=ROW_GROUP, maintain_order=True)
        return sum(kept for _, kept in parts)

    def _write_piece(self) -> None:
        if not self._held:
            return
        events = pl.concat(self._held).sort("student", "time")
        self._held.clear()
        self._counts.append(events.group_by("student").len())
        path = self.folder / f"piece-{len(self._files):06}.parquet"
        events.write_parquet(path, row_group_size=PIECE // 8)
        self._files.append(path)

    def _groups(self) -> Iterator[tuple[str, str]]:
        """First and last student of each group, in order."""
        if not self._counts:
            return
        students = pl.concat(self._counts).group_by("student").agg(pl.col("len").sum()).sort("student")
        number = (pl.col("len").cum_sum() - pl.col("len")) // self.group
        groups = students.group_by(number.alias("group"), maintain_order=True)
        yield from groups.agg(first=pl.col("student").first(), last=pl.col("student").last()).drop("group").iter_rows()

    def _write_group(self, first: str, last: str, number: int) -> tuple[Path, int]:
        events = pl.scan_parquet(self._files).filter(pl.col("student").is_between(pl.lit(first), pl.lit(last)))
        once = events.unique().sort(COLUMNS, nulls_last=False).collect(engine="streaming")
        path = self.folder / f"sorted-{number:06}.parquet"
        once.write_parquet(path)
        return path, once.height
