"""From event logs to one file of events."""

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from data.events import edx, moodle
from data.events.batch import Batch, EventsError, MalformedEvents, located
from data.events.clock import known_zone
from data.events.lines import read_blocks
from data.events.pieces import Pieces
from data.events.schema import Kind

Source = Literal["edx", "moodle"]
Progress = Callable[[int, int], None]
"""Is told how many bytes of all the files have been read so far, and how many there are."""

SHOWN = 100
"""Problems that are kept in full however many are allowed."""
FIRST = 3
"""Problems that are told when no event is left."""
NAMES = 1000
"""Unknown kinds that are counted by name; a log with more is not what it was said to be."""
OTHERS = "(others)"


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of every row that was read.

    `rows` is the sum of `kept`, `duplicates`, `left_out`, `nobody`, `malformed` and all of `unknown`, which
    counts the kinds we do not know by name, most frequent first. `left_out` are of kinds we know but were not
    asked for; `nobody` are clicks by no student (not logged in, or staff logged in as one); `problems` holds
    'file:line: reason' of the first malformed rows. `ambiguous` and `shifted` count local times that the
    clock showed twice (taken as the earlier) and never (moved forward) at the turns of summer time.
    """

    rows: int
    kept: int
    duplicates: int
    left_out: int
    nobody: int
    unknown: Mapping[str, int]
    malformed: int
    problems: tuple[str, ...]
    ambiguous: int
    shifted: int


def read_events(
    paths: Sequence[Path],
    out: Path,
    source: Source,
    timezone: str = "UTC",
    kinds: Collection[Kind] | None = None,
    max_errors: int = 100,
    progress: Progress | None = None,
) -> Ingested:
    """Read edX tracking logs or Moodle log exports, plain or gz, into one parquet of `schema.SCHEMA`.

    The file is sorted by student and time, holds each event once, and is written whole or not at all; a file
    already at `out` stays until then. Memory does not grow with the logs. `timezone` is that of times without
    an offset (Moodle's; edX logs are in UTC); `kinds` are the ones to keep, all by default; more than
    `max_errors` malformed lines stop the reading. Raises EventsError for what cannot be read: it names the
    file and, where there is one, the line.
    """
    if source not in get_args(Source):
        raise EventsError(f"there is no reader for {source!r}; there are: {', '.join(get_args(Source))}")
    zone = known_zone(timezone)
    reading = _Reading(max_errors, None if kinds is None else [kind.value for kind in kinds])
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
            pieces = Pieces(Path(folder))
            for path, batch in _batches(paths, source, zone, progress):
                pieces.add(reading.take(batch, path))
            whole = Path(folder) / "whole.parquet"
            kept = pieces.put_together(whole)
            if not kept:
                raise EventsError(reading.nothing(paths))
            whole.replace(out)
    except OSError as error:
        raise EventsError(f"{out}: cannot be written: {error.strerror or error}") from error
    return reading.result(kept)


def _batches(
    paths: Sequence[Path], source: Source, timezone: str, progress: Progress | None
) -> Iterator[tuple[Path, Batch]]:
    sizes = [_size(path) for path in paths]
    for number, path in enumerate(paths):
        before = sum(sizes[:number])

        def seen(done: int, before: int = before) -> None:
            if progress is not None:
                progress(before + done, sum(sizes))

        blocks = read_blocks(path, seen)
        batches = edx.read_batches(blocks) if source == "edx" else moodle.read_batches(blocks, path, timezone)
        for batch in batches:
            yield path, batch


def _size(path: Path) -> int:
    """Bytes of a file; a file that is not there is found out before any is read."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise EventsError(f"{path}: cannot be read: {error.strerror or error}") from error


@dataclass(slots=True)
class _Reading:
    """The counts of a reading under way."""

    max_errors: int
    kinds: list[str] | None
    rows: int = 0
    taken: int = 0
    left_out: int = 0
    nobody: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    malformed: int = 0
    problems: list[str] = field(default_factory=list)
    ambiguous: int = 0
    shifted: int = 0

    def take(self, batch: Batch, path: Path) -> pl.DataFrame:
        """Count a batch; returns the events of it that are wanted. Raises MalformedEvents."""
        self.rows += batch.rows
        self.nobody += batch.nobody
        self.ambiguous += batch.ambiguous
        self.shifted += batch.shifted
        for name, times in batch.unknown.items():
            self.unknown[name if name in self.unknown or len(self.unknown) < NAMES else OTHERS] += times
        self.malformed += batch.problems.height
        self.problems += located(batch.problems.head(SHOWN - len(self.problems)), path)
        if self.malformed > self.max_errors:
            raise MalformedEvents(self.max_errors, self.problems)
        events = batch.events if self.kinds is None else batch.events.filter(pl.col("kind").is_in(self.kinds))
        self.left_out += batch.events.height - events.height
        self.taken += events.height
        return events

    def nothing(self, paths: Sequence[Path]) -> str:
        """Why no event is left."""
        names = ", ".join(f"{name} ({times})" for name, times in self.unknown.most_common(5))
        files = ", ".join(map(str, paths)) or "no file"
        parts = [f"{self.malformed} malformed", f"{self.left_out} of kinds not asked for", f"{self.nobody} by nobody"]
        parts.append(f"{self.unknown.total()} of unknown kinds{': ' if names else ''}{names}")
        told = f"{files}: no event could be used; of {self.rows} rows there are {'; '.join(parts)}"
        if not self.problems:
            return told
        return "\n  ".join([f"{told}; the first malformed are:", *self.problems[:FIRST]])

    def result(self, kept: int) -> Ingested:
        """The counts, once it is known how many events are left without duplicates."""
        return Ingested(
            rows=self.rows,
            kept=kept,
            duplicates=self.taken - kept,
            left_out=self.left_out,
            nobody=self.nobody,
            unknown=dict(self.unknown.most_common()),
            malformed=self.malformed,
            problems=tuple(self.problems),
            ambiguous=self.ambiguous,
            shifted=self.shifted,
        )
