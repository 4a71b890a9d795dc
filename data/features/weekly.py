"""All features of all weeks of a course's students, from its events."""

from collections.abc import Iterator
from datetime import datetime

import polars as pl

from data.catalogue import load_catalogue
from data.features import activity
from data.features.alignment import find_touched, measure_alignment, measure_delay
from data.features.timeline import build_timeline, select_weeks
from data.features.videos import measure_steering, trace_playback
from data.schedule import Schedule
from scribe.plumbing.progress import OnCount

COUNTS = "^(Total.*|NumberOfSessions)$"
"""Counts and sums: of nothing they are 0, which is a fact about an idle week and not filled in."""
AT_ONCE = 2_000_000  # Events, about a gigabyte of memory


def weekly_features(
    events: pl.LazyFrame,
    schedule: Schedule,
    through: int | None = None,
    progress: OnCount | None = None,
    at_once: int = AT_ONCE,
) -> pl.DataFrame:
    """One row per student, week and feature that can be computed; the others are absent.

    Columns: student, week (from 1), feature, value (its raw unit), sorted by student, week and the catalogue. Students
    with an event have rows to week `through` (None: the last with an event of anybody): where they did nothing, counts
    and shares of the week's material are 0 and all else is absent. Groups of `at_once` events bound the memory.
    """
    reached = schedule.weeks if through is None else min(through, schedule.weeks)
    known = select_weeks(events, schedule, reached)
    students = known.group_by("student").agg(n=pl.len(), last=pl.col("time").max()).sort("student").collect()
    last, total = students["last"].max(), int(students["n"].sum())
    if through is None and isinstance(last, datetime):
        reached = schedule.week_of(last) or reached
    parts, done = list[pl.DataFrame](), 0
    for first, final, n in _group_students(students, at_once):
        of_these = known.filter(pl.col("student").is_between(pl.lit(first), pl.lit(final)))
        parts.append(_compute_group(of_these, schedule, reached))
        done += n
        if progress is not None:
            progress(done, total)
    return pl.concat(parts) if parts else _compute_group(known, schedule, reached)


def _group_students(students: pl.DataFrame, at_once: int) -> Iterator[tuple[str, str, int]]:
    """First and last student of each group, and its events."""
    group = (pl.col("n").cum_sum() - 1) // at_once
    ends = pl.col("student")
    table = students.group_by(group=group).agg(first=ends.min(), final=ends.max(), n=pl.col("n").sum())
    return table.sort("group").select("first", "final", "n").iter_rows()


def _compute_group(events: pl.LazyFrame, schedule: Schedule, through: int) -> pl.DataFrame:
    line = build_timeline(events, schedule, through)
    log = line.log.lazy()
    films, touches = trace_playback(log).collect().lazy(), find_touched(line).collect().lazy()
    families = (
        activity.measure_clicks(log),
        activity.measure_shares(log),
        activity.measure_sessions(line),
        activity.measure_regularity(log),
        measure_steering(films),
        activity.measure_problems(log),
        measure_alignment(touches, films, line),
        measure_delay(touches, line),
    )
    wide = line.cells
    # One after the other: each result is small, what it takes to compute it is not.
    for family in families:
        wide = wide.join(family.collect(), on="cell", how="left", maintain_order="left")
    return _melt(wide.with_columns(pl.col(COUNTS).fill_null(0)))


def _melt(wide: pl.DataFrame) -> pl.DataFrame:
    names = [feature.name for feature in load_catalogue()]
    rows = wide.lazy().with_row_index("row").with_columns(pl.col(names).cast(pl.Float64))
    values = rows.unpivot(names, index="row", variable_name="feature", value_name="value").drop_nulls("value")
    # The names come in the catalogue's order, which a stable sort keeps within each row.
    values = values.sort("row", maintain_order=True)
    told = values.join(rows.select("row", "student", "week"), on="row", maintain_order="left")
    return told.select("student", "week", "feature", "value").collect()
