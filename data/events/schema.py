"""One table for the clicks of every platform (SCHEMA), and what reading a block of a log yields.

A file of events in our own form is parquet with exactly its columns: `kind` is one of `Kind`, `object` the id of the
video, problem, page or forum thread, and `value` null where the kind has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Self

import polars as pl

from data.course import BundleError


class Kind(StrEnum):
    """What can be done. Three kinds bear a value, written behind them."""

    VIDEO_LOAD = "video.load"
    VIDEO_PLAY = "video.play"
    VIDEO_PAUSE = "video.pause"
    VIDEO_SEEK = "video.seek"  # seconds jumped, negative backward
    VIDEO_STOP = "video.stop"
    VIDEO_SPEED = "video.speed"  # the new playback rate, 1 is normal
    PROBLEM_CHECK = "problem.check"  # share of full marks, 0 to 1
    FORUM_VIEW = "forum.view"
    FORUM_POST = "forum.post"
    PAGE_VIEW = "page.view"


SCHEMA = pl.Schema(
    {
        "student": pl.String(),
        "time": pl.Datetime("us", "UTC"),
        "kind": pl.String(),
        "object": pl.String(),
        "value": pl.Float64(),
    }
)
COLUMNS = tuple(SCHEMA)
PROBLEMS = pl.Schema({"line": pl.Int64(), "reason": pl.String()})
EARLIEST, LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""A time outside these has been misread or mistyped."""


class EventsError(BundleError):
    """An event log is broken or of another format; the message names file and line."""


class TooManyErrors(EventsError):
    """More lines or rows are bad than may be skipped; `problems` holds 'file:row: reason' of the first."""

    def __init__(self, what: str, allowed: int, problems: Sequence[str], shown: int = 10) -> None:
        self.problems = tuple(problems)
        head = f"{what}, and {f'at most {allowed}' if allowed > 0 else 'none'} may be skipped:"
        super().__init__("\n  ".join([head, *self.problems[:shown]]))


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The lines of a block: events (SCHEMA), counts of unknown kinds, problems (PROBLEMS), clicks by no student."""

    rows: int
    events: pl.DataFrame
    unknown: Mapping[str, int]
    problems: pl.DataFrame
    nobody: int = 0

    @classmethod
    def of(cls, known: pl.DataFrame, unknown: pl.Series, broken: pl.DataFrame) -> Self:
        """Sort rows of known kinds, with `line`, `nobody`, `reason`; unknown: names; broken: `line`, `reason`."""
        reason = pl.coalesce("reason", _explain_time())
        known = known.rechunk().with_columns(reason=pl.when(~pl.col("nobody")).then(reason))
        faulty = known.filter(pl.col("reason").is_not_null()).select(PROBLEMS.names())
        problems = pl.concat([broken.select(PROBLEMS.names()), faulty]).cast(PROBLEMS).sort("line")
        events = known.filter(~pl.col("nobody") & pl.col("reason").is_null()).select(COLUMNS).cast(SCHEMA)
        rows = known.height + len(unknown) + broken.height
        counts = dict(unknown.value_counts().iter_rows())
        return cls(rows, events, counts, problems, int(known["nobody"].sum()))


def _explain_time() -> pl.Expr:
    """Why a row has no usable time, null if it has."""
    time = pl.col("time")
    return (
        pl.when(time.is_null())
        .then(pl.lit("has no time that can be read"))
        .when(~time.is_between(EARLIEST, LATEST))
        .then(pl.format("bears the year {}", time.dt.year()))
    )
