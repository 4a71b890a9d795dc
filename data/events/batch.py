"""What became of the lines of a log: events, kinds we do not know, clicks of nobody, malformed lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import polars as pl

from data.course import BundleError
from data.events.schema import COLUMNS, SCHEMA

PROBLEMS = pl.Schema({"line": pl.Int64(), "reason": pl.String()})
EARLIEST, LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""No log was written outside these: a time that is has been misread or mistyped."""


class EventsError(BundleError):
    """An event log is broken or is not what it was said to be; the message names file and line."""


class MalformedEvents(EventsError):
    """More lines are malformed than were allowed for; `problems` holds 'file:line: reason' of the first."""

    def __init__(self, allowed: int, problems: Sequence[str], shown: int = 10) -> None:
        self.problems = tuple(problems)
        lines = [f"more than {allowed} lines cannot be read; the first are:"]
        super().__init__("\n  ".join([*lines, *self.problems[:shown]]))


@dataclass(frozen=True, slots=True)
class Batch:
    """The lines of one block, sorted by what they are: `rows` is the sum of all the others.

    `events` has the columns of `schema.SCHEMA`, `problems` line and reason. `nobody` counts clicks by no
    student. `ambiguous` and `shifted` count, among the events, local times that the clock showed twice and
    never when summer time ended and began.
    """

    rows: int
    events: pl.DataFrame
    unknown: Mapping[str, int]
    problems: pl.DataFrame
    nobody: int = 0
    ambiguous: int = 0
    shifted: int = 0

    @classmethod
    def of(cls, known: pl.DataFrame, unknown: Mapping[str, int], broken: pl.DataFrame) -> Self:
        """Sort rows of known kinds; `unknown` counts the other kinds, `broken` holds lines never understood.

        `known` has the columns of an event and `line`; `nobody` (bool); `reason` (why the row is malformed,
        null if it is not); and, where times were local, `ambiguous` and `shifted` (bool).
        """
        reason = pl.coalesce("reason", _untimely())
        known = known.rechunk().with_columns(reason=pl.when(~pl.col("nobody")).then(reason))
        good = known.filter(~pl.col("nobody") & pl.col("reason").is_null())
        faulty = known.filter(pl.col("reason").is_not_null()).select(PROBLEMS.names())
        problems = pl.concat([broken.select(PROBLEMS.names()), faulty]).cast(PROBLEMS).sort("line")
        twice, never = (int(good[name].sum()) if name in good.columns else 0 for name in ("ambiguous", "shifted"))
        events = good.select(COLUMNS).cast(SCHEMA)
        rows = known.height + sum(unknown.values()) + broken.height
        return cls(rows, events, unknown, problems, int(known["nobody"].sum()), twice, never)


def _untimely() -> pl.Expr:
    """The reason why a row has no usable time, null if it has."""
    outside = ~pl.col("time").is_between(EARLIEST, LATEST)
    return (
        pl.when(pl.col("time").is_null())
        .then(pl.lit("has no time that can be read"))
        .when(outside)
        .then(pl.format("bears the year {}", pl.col("time").dt.year()))
    )


def tally(names: pl.Series) -> dict[str, int]:
    """How often each name occurs."""
    counts = names.value_counts(name="times")
    return dict(zip(counts[names.name].to_list(), counts["times"].to_list(), strict=True))


def located(problems: pl.DataFrame, path: Path) -> Iterator[str]:
    """Problems (line, reason) of a file as 'file:line: reason'."""
    for line, reason in problems.iter_rows():
        yield f"{path}:{line}: {reason}"
