"""When simulated students study, and what they do to videos and problems."""

from datetime import timedelta

import polars as pl
import pytest

from data.cohort.simulate import Cohort
from data.cohort.week import REST
from data.events.schema import Kind
from data.schedule import Schedule


@pytest.fixture(scope="module")
def sessions(cohort: Cohort, schedule: Schedule) -> pl.DataFrame:
    """student, first, last (local), week, clicks: runs of clicks without a break as long as between sessions."""
    gap = pl.col("time").diff().over("student").dt.total_seconds()
    number = (gap.is_null() | (gap >= REST)).cum_sum()
    local = pl.col("time").dt.convert_time_zone(schedule.timezone).dt.replace_time_zone(None)
    table = cohort.events.with_columns(number=number, local=local)
    runs = table.group_by("student", "number").agg(
        first=pl.col("local").min(), last=pl.col("local").max(), clicks=pl.len()
    )
    week = (pl.col("first") - schedule.monday(1)).dt.total_days() // 7 + 1
    return runs.with_columns(week=week).sort("student", "first")


def test_a_session_has_three_clicks_at_least_and_a_week_fourteen_sessions_at_most(sessions: pl.DataFrame) -> None:
    assert sessions["clicks"].min() >= 3  # type: ignore[operator]
    counts = sessions.group_by("student", "week").len()["len"]
    assert counts.max() <= 14  # type: ignore[operator]
    assert 3 <= counts.median() <= 5  # type: ignore[operator]


def test_sessions_end_in_the_week_they_begin_in_and_before_the_night_is_over(sessions: pl.DataFrame) -> None:
    monday = pl.col("first").dt.truncate("1w")
    assert sessions.filter(pl.col("last") >= monday + timedelta(weeks=1)).is_empty()
    assert sessions.select(pl.col("last") - pl.col("first")).to_series().max() < timedelta(hours=5)  # type: ignore[operator]


def test_hours_are_those_of_the_wall_clock_before_and_after_the_end_of_summer_time(sessions: pl.DataFrame) -> None:
    hour = pl.col("first").dt.hour()
    for weeks in (pl.col("week") <= 6, pl.col("week") > 6):
        early = sessions.filter(weeks)
        assert early.filter(hour < 7).is_empty()
        assert early.select(hour.min()).item() == 7


def test_some_weeks_are_idle_and_some_students_leave_for_good(sessions: pl.DataFrame, schedule: Schedule) -> None:
    active = sessions.group_by("student").agg(weeks=pl.col("week").n_unique(), last=pl.col("week").max())
    assert 0.85 < active["weeks"].sum() / (200 * schedule.weeks) < 0.97
    assert 0.02 < (active["last"] < schedule.weeks - 1).mean() < 0.2  # type: ignore[operator]


def test_a_problem_is_tried_three_times_at_most_a_week_and_not_again_once_solved(cohort: Cohort) -> None:
    checks = cohort.events.filter(pl.col("kind") == Kind.PROBLEM_CHECK)
    week = pl.col("time").dt.truncate("1w")
    tries = checks.group_by("student", "object", week).agg(pl.col("value"))["value"].to_list()
    assert max(map(len, tries)) == 3
    assert all(1.0 not in tried[:-1] for tried in tries)
    assert {mark for tried in tries for mark in tried} == {0.0, 0.25, 0.5, 0.75, 1.0}


def test_videos_are_watched_ahead_again_on_another_day_and_late(cohort: Cohort, schedule: Schedule) -> None:
    planned = pl.DataFrame([(item.id, item.week) for item in schedule.items], ["object", "planned"], orient="row")
    local = pl.col("time").dt.convert_time_zone(schedule.timezone).dt.replace_time_zone(None)
    loads = (
        cohort.events.filter(pl.col("kind") == Kind.VIDEO_LOAD)
        .join(planned, on="object")
        .with_columns(week=(local - schedule.monday(1)).dt.total_days() // 7 + 1, day=local.dt.date())
    )
    assert 0.05 < loads.select((pl.col("week") < pl.col("planned")).mean()).item() < 0.4
    assert 0.02 < loads.select((pl.col("week") > pl.col("planned")).mean()).item() < 0.4
    days = loads.filter(pl.col("week") == pl.col("planned")).group_by("student", "object").agg(pl.col("day").n_unique())
    assert 0.03 < days.select((pl.col("day") > 1).mean()).item() < 0.4
