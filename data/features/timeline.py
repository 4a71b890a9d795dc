"""The clicks of a course in order, one row per event, and the schedule as tables. A cell is a student's week."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from zoneinfo import ZoneInfo

import polars as pl

from data.events.schema import Kind
from data.schedule import Schedule

HOURS = 7 * 24
SHORTEST, LONGEST = 1.0, 3600.0
"""Seconds: a gap outside these bounds is a double click or a break, and not time spent on something."""

KIND = pl.col("kind")
IS_VIDEO = KIND.is_in([kind for kind in Kind if kind.startswith("video.")])
IS_PROBLEM = KIND.is_in([kind for kind in Kind if kind.startswith("problem.")])
SPENT = pl.when(pl.col("gap").is_between(SHORTEST, LONGEST)).then(pl.col("gap"))
"""Seconds spent on an event: to the student's next one, null where that is no time spent on it."""
IS_NOW = pl.col("planned_week") == pl.col("week")  # An item (see `tabulate_items`) is of the week that is looked at


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events within the course, and the cells they fill.

    log      one row per event, by cell and time: cell, time (UTC), hour (of the week, 0..167, local),
             kind (Enum), object (a hash of the id), item (of the schedule, else null), value (null when
             not finite), gap (seconds to the same cell's next event, null at the last)
    cells    cell, student, week: each student with an event, by id, times each week to the last asked for
    """

    log: pl.DataFrame
    cells: pl.DataFrame
    schedule: Schedule

    def week(self) -> pl.Expr:
        """The week of a cell."""
        return (pl.col("cell") % self.schedule.weeks + 1).cast(pl.Int64)


def build_timeline(events: pl.LazyFrame, schedule: Schedule, through: int) -> Timeline:
    """Put the events to the end of week `through` in order, those at the same microsecond in the order of `Kind`."""
    coded = _encode(select_weeks(events, schedule, through), schedule)
    goes_on = pl.col("cell") == pl.col("cell").shift(-1)
    gap = pl.when(goes_on).then(seconds(pl.col("time").shift(-1) - pl.col("time")))
    log = coded.sort("cell", "time", "kind", "object", "value").with_columns(gap=gap).collect()
    students = log.select("student", code=pl.col("cell") // schedule.weeks).unique()
    return Timeline(log.drop("student"), _list_cells(students, through, schedule), schedule)


def select_weeks(events: pl.LazyFrame, schedule: Schedule, through: int) -> pl.LazyFrame:
    """The events from the start of week 1 to the end of week `through`."""
    zone = ZoneInfo(schedule.timezone)
    start, end = (schedule.monday(week).replace(tzinfo=zone).astimezone(UTC) for week in (1, through + 1))
    return events.filter(pl.col("time").is_between(start, end, closed="left"))


def seconds(duration: pl.Expr) -> pl.Expr:
    """A duration as a number of seconds."""
    return duration.dt.total_microseconds() / 1e6


def _encode(events: pl.LazyFrame, schedule: Schedule) -> pl.LazyFrame:
    """Numbers in place of names: they sort and group several times faster."""
    wall = pl.col("time").dt.convert_time_zone(schedule.timezone).dt.replace_time_zone(None)
    since = wall - pl.lit(schedule.monday(1), pl.Datetime("us"))
    hour = since.dt.total_microseconds() // 3_600_000_000
    listed = tabulate_items(schedule).lazy().select("item", "is_video", object="id")
    is_listed = (IS_VIDEO & pl.col("is_video")) | (IS_PROBLEM & ~pl.col("is_video"))
    return (
        events.with_columns(pl.col("student").cast(pl.Categorical), KIND.cast(pl.Enum(Kind)), hour=hour)
        .join(listed, on="object", how="left", validate="m:1")
        .select(
            "student",
            "time",
            "kind",
            pl.col("object").hash(),
            cell=pl.col("student").to_physical() * schedule.weeks + (pl.col("hour") // HOURS).cast(pl.UInt32),
            hour=(pl.col("hour") % HOURS).cast(pl.UInt8),
            item=pl.when(is_listed).then(pl.col("item")),
            value=pl.when(pl.col("value").is_finite()).then(pl.col("value")),
        )
    )


def _list_cells(students: pl.DataFrame, last: int, schedule: Schedule) -> pl.DataFrame:
    """Every student times every week, also the weeks in which they did nothing."""
    weeks = pl.DataFrame({"week": range(1, last + 1)}, schema={"week": pl.Int64})
    cell = pl.col("code") * schedule.weeks + (pl.col("week") - 1).cast(pl.UInt32)
    named = students.with_columns(pl.col("student").cast(pl.String)).sort("student")
    return named.join(weeks, how="cross").select(cell.alias("cell"), "student", "week")


def tabulate_items(schedule: Schedule) -> pl.DataFrame:
    """One row per video or problem: length (seconds), planned (its release, at the earliest its Monday, local)."""
    items = schedule.items
    planned = [max(schedule.wall(item.released), schedule.monday(item.week)) for item in items]
    columns = [
        pl.Series("item", range(len(items)), pl.UInt32),
        pl.Series("id", [item.id for item in items], pl.String),
        pl.Series("is_video", [item.kind == "video" for item in items], pl.Boolean),
        pl.Series("planned_week", [item.week for item in items], pl.Int64),
        pl.Series("planned", planned, pl.Datetime("us")),
        pl.Series("length", [item.minutes * 60.0 for item in items], pl.Float64),
    ]
    return pl.DataFrame(columns)


def count_offered(schedule: Schedule) -> pl.DataFrame:
    """Per week the number of videos and problems it plans, and of those (later_…) in all weeks after it."""
    planned = Counter((item.kind, item.week) for item in schedule.items)
    weeks = range(1, schedule.weeks + 1)
    counts = {f"{kind}s": [planned[kind, week] for week in weeks] for kind in ("video", "problem")}
    table = pl.DataFrame({"week": weeks, **counts}, schema=dict.fromkeys(("week", *counts), pl.Int64))
    rest = pl.col("videos", "problems")
    return table.with_columns((rest.cum_sum(reverse=True) - rest).name.prefix("later_"))
