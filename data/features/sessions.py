"""Stretches of work: how many, how long, and how even."""

import polars as pl

from data.features.timeline import Timeline, seconds

FEWEST_EVENTS = 3
LONGEST_BREAK = 3600.0


def sessions(line: Timeline) -> pl.LazyFrame:
    """Count, length and evenness of a week's sessions (Chen & Cui 2020).

    A session is a run of at least 3 events with no gap longer than the longest item the week plans (in a
    week that plans none, the longest of the course; in a course without items, an hour). It ends with
    its last event, and with the week. All times in seconds:

    NumberOfSessions (sessions): 0 without one.
    TotalTimeSessions: sum of (last - first event); 0 without a session.
    AvgTimeSessions, StdTimeSessions: mean and standard deviation of the same; null without a session,
    where the published code writes 0. The deviation is that of a population, so it is 0 for one session.
    StdTimeBetweenSessions: deviation of (first event - last event of the session before); null with
    fewer than three sessions: one gap differs from none, which is no evenness.
    """
    is_same = pl.col("cell") == pl.col("cell").shift(1)
    runs = _runs(line).with_columns(
        length=seconds(pl.col("end") - pl.col("start")),
        between=pl.when(is_same).then(seconds(pl.col("start") - pl.col("end").shift(1))),
    )
    return runs.group_by("cell").agg(
        NumberOfSessions=pl.len(),
        TotalTimeSessions=pl.col("length").sum(),
        AvgTimeSessions=pl.col("length").mean(),
        StdTimeSessions=pl.col("length").std(ddof=0),
        StdTimeBetweenSessions=pl.when(pl.col("between").count() > 1).then(pl.col("between").std(ddof=0)),
    )


def _runs(line: Timeline) -> pl.LazyFrame:
    """One row per session in order: cell, start, end."""
    # The gap to the next event is null at the end of a cell, where no session goes on.
    begins = (pl.col("gap") > _longest_gap(line)).fill_null(True).shift(1, fill_value=True)
    return (
        line.log.lazy()
        .select("cell", "time", session=begins.cum_sum())
        .group_by("session")
        .agg(pl.col("cell").first(), start=pl.col("time").min(), end=pl.col("time").max(), events=pl.len())
        .filter(pl.col("events") >= FEWEST_EVENTS)
        .sort("session")
    )


def _longest_gap(line: Timeline) -> pl.Expr:
    items = line.schedule.items
    whole = max((item.minutes * 60.0 for item in items), default=LONGEST_BREAK)
    weeks = range(1, line.schedule.weeks + 1)
    limits = [max((item.minutes * 60.0 for item in items if item.week == week), default=whole) for week in weeks]
    return line.week().replace_strict(list(weeks), limits, return_dtype=pl.Float64)
