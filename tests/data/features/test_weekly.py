"""All features together: what holds for every log, tried on random ones."""

import dataclasses
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from data.catalogue import load_catalogue
from data.events.schema import SCHEMA, Kind
from data.features.weekly import weekly_features
from tests.data.features.plain import Event, plain_week
from tests.data.features.scene import SCHEDULE, events, features

PLAIN_ZONE = dataclasses.replace(SCHEDULE, timezone="UTC")
WORDS = [*(item.id for item in SCHEDULE.items), "extra", "p9"]
RATES = {Kind.VIDEO_SPEED: (0.5, 1.0, 1.5, 2.0), Kind.PROBLEM_CHECK: (0.0, 0.5, 1.0)}


def random_log(seed: int, students: int = 6, size: int = 1500, step: int = 1) -> pl.DataFrame:
    """Work in bursts, from a day before the course to a day after; `step` seconds make times collide."""
    rng = np.random.default_rng(seed)
    rows = list[tuple[object, ...]]()
    while len(rows) < size:
        student = f"s{rng.integers(students)}"
        moment = datetime(2026, 9, 13, tzinfo=UTC) + timedelta(seconds=int(rng.integers(23 * 86400)))
        thing = str(rng.choice(WORDS))
        for _ in range(rng.integers(1, 12)):
            thing = str(rng.choice(WORDS)) if rng.random() < 0.3 else thing
            moment += timedelta(
                seconds=step * int(rng.exponential(240) / step), microseconds=len(rows) if step == 1 else 0
            )
            rows.append((student, moment, *_act(rng, thing)))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _act(rng: np.random.Generator, thing: str) -> tuple[str, str, float | None]:
    kinds = [kind for kind in Kind if kind.startswith("problem" if thing.startswith("p") else "video")]
    kind = Kind.PAGE_VIEW if rng.random() < 0.1 else kinds[rng.integers(len(kinds))]
    if kind is Kind.VIDEO_SEEK:
        return kind, thing, float(rng.integers(-300, 300))
    return kind, thing, float(rng.choice(RATES[kind])) if kind in RATES else None


def wide(table: pl.DataFrame) -> dict[tuple[str, int, str], float]:
    return {(student, week, feature): value for student, week, feature, value in table.iter_rows()}


def assert_same(one: pl.DataFrame, other: pl.DataFrame) -> None:
    assert one.drop("value").equals(other.drop("value"))
    assert wide(one) == pytest.approx(wide(other), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_fast_way_agrees_with_reading_event_by_event(seed: int) -> None:
    log = random_log(seed)
    table = wide(weekly_features(log.lazy(), PLAIN_ZONE))
    compared = 0
    for (student, week), rows in _cells(log).items():
        for name, value in plain_week(rows, PLAIN_ZONE, week).items():
            assert table.get((student, week, name)) == (None if value is None else pytest.approx(value, abs=1e-6)), name
            compared += 1
    assert compared > 300


def _cells(log: pl.DataFrame) -> dict[tuple[str, int], list[Event]]:
    cells: dict[tuple[str, int], list[Event]] = {}
    for student, time, *rest in log.iter_rows():
        week = PLAIN_ZONE.week_of(time)
        if week is not None:
            cells.setdefault((student, week), []).append(Event(time.replace(tzinfo=None), *rest))
    return cells


@pytest.mark.parametrize("seed", range(5))
def test_values_lie_within_the_bounds_of_the_catalogue(seed: int) -> None:
    table = weekly_features(random_log(seed, step=60).lazy(), SCHEDULE)
    found = {name for _, _, name, value in table.iter_rows() if load_catalogue().by_name(name).allows(value)}
    wrong = [row for row in table.iter_rows() if not load_catalogue().by_name(row[2]).allows(row[3])]
    assert not wrong
    assert len(found) == 44


def test_the_columns_and_their_order_are_those_of_a_bundle() -> None:
    table = weekly_features(random_log(1).lazy(), SCHEDULE)
    assert table.schema == {"student": pl.String, "week": pl.Int64, "feature": pl.String, "value": pl.Float64}
    names = [feature.name for feature in load_catalogue()]
    keys = [(student, week, names.index(feature)) for student, week, feature, _ in table.iter_rows()]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys))
    assert all(math.isfinite(value) for value in table["value"])


def test_the_order_of_the_events_does_not_matter() -> None:
    log = random_log(2, step=60)  # a grid of minutes: many events are at the same time
    first = weekly_features(log.lazy(), SCHEDULE)
    for seed in range(3):
        assert_same(weekly_features(log.sample(fraction=1, shuffle=True, seed=seed).lazy(), SCHEDULE), first)


def test_other_students_do_not_matter_not_even_doubled() -> None:
    log = random_log(3)
    mine, others = log.filter(student="s0"), log.filter(pl.col("student") != "s0")
    among = weekly_features(pl.concat([others, mine, others]).lazy(), SCHEDULE, through=3).filter(student="s0")
    assert_same(among, weekly_features(mine.lazy(), SCHEDULE, through=3))


def test_groups_of_students_give_what_all_at_once_give_and_tell_how_far_they_are() -> None:
    log, told = random_log(4), list[tuple[int, int]]()
    parts = weekly_features(log.lazy(), SCHEDULE, progress=lambda done, total: told.append((done, total)), at_once=400)
    assert_same(parts, weekly_features(log.lazy(), SCHEDULE))
    assert len(told) > 2
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] == sum(SCHEDULE.week_of(time) is not None for time in log["time"])


def test_a_parquet_file_is_as_good_as_a_table(tmp_path: Path) -> None:
    log = random_log(5)
    log.write_parquet(tmp_path / "events.parquet")
    assert_same(
        weekly_features(pl.scan_parquet(tmp_path / "events.parquet"), SCHEDULE), weekly_features(log.lazy(), SCHEDULE)
    )


def test_a_student_without_events_in_the_course_has_no_rows() -> None:
    early = events("Mon 10:00:00 page.view a", "early").with_columns(pl.col("time") - timedelta(days=7))
    late = events("Mon 10:00:00 page.view a", "late").with_columns(pl.col("time") + timedelta(days=21))
    there = events("Mon 10:00:00 page.view a", "there")
    table = weekly_features(pl.concat([early, late, there]).lazy(), SCHEDULE)
    assert table["student"].unique().to_list() == ["there"]
    assert weekly_features(early.lazy(), SCHEDULE).shape == (0, 4)


def test_the_course_begins_and_ends_at_midnight_on_the_wall_clock() -> None:
    moments = ("2026-09-13 21:59:59", "2026-09-13 22:00:00", "2026-10-04 21:59:59", "2026-10-04 22:00:00")
    one = events("Mon 10:00:00 page.view a")
    times = (pl.lit(moment).str.to_datetime(time_unit="us", time_zone="UTC") for moment in moments)
    log = pl.concat([one.with_columns(time=time) for time in times])
    clicks = weekly_features(log.lazy(), SCHEDULE).filter(feature="TotalClicks")
    assert dict(clicks.select("week", "value").iter_rows()) == {1: 1, 2: 0, 3: 1}


def test_rows_go_to_the_last_week_with_an_event_or_as_far_as_asked() -> None:
    log = pl.concat([events("w1 Mon 10:00:00 page.view a", "ann"), events("w2 Mon 10:00:00 page.view a", "bob")])
    assert set(weekly_features(log.lazy(), SCHEDULE)["week"]) == {1, 2}
    assert set(weekly_features(log.lazy(), SCHEDULE, through=9)["week"]) == {1, 2, 3}
    first = weekly_features(log.lazy(), SCHEDULE, through=1)
    assert set(first.select("student", "week").iter_rows()) == {("ann", 1)}


def test_what_was_done_at_once_is_taken_in_the_order_of_the_kinds() -> None:
    slip = "Mon 10:00:00 video.pause v1\n Mon 10:00:00 video.play v1\n Mon 10:00:00 video.load v1"
    played_last = features(slip + "\n Mon 10:01:00 page.view a")
    assert "FrequencyEventVideo" not in played_last  # loaded, played, paused: nothing plays on


def test_a_value_that_is_not_a_number_is_none() -> None:
    week = features("Mon 10:00:00 video.seek v1 nan\n Mon 10:01:00 video.seek v1 -inf\n Mon 10:02:00 video.seek v1 4")
    assert week["AvgSeekLength"] == 4
