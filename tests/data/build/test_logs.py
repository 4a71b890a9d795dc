"""Logs that do not belong to the course, the students or the schedule are found out."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from data.build.logs import read_log, select_enrolled
from data.build.sources import Tolerance
from data.course import BundleError
from data.events.reading import LogCounts
from data.events.schema import SCHEMA, TooManyErrors
from data.schedule import Schedule, ScheduledItem, shift_schedule
from tests.data.events.written_logs import edx, write

START = datetime(2026, 9, 14)
SCHEDULE = Schedule(START, "Europe/Zurich", 3, (ScheduledItem("v1", "video", 1, START, None, 10.0),))


def log(*clicks: tuple[str, int, str]) -> pl.LazyFrame:
    """Videos loaded: student, days after the start, object."""
    start = START.replace(tzinfo=UTC)
    rows = [(who, start + timedelta(days=day), "video.load", what, None) for who, day, what in clicks]
    return pl.DataFrame(rows, SCHEMA, orient="row").lazy()


def taken(clicks: pl.LazyFrame, *students: str, weeks: int = 2) -> tuple[pl.DataFrame, LogCounts]:
    events, counts = select_enrolled(clicks, LogCounts(9, 5), students, SCHEDULE, weeks, "current run")
    return events.collect(), counts


def test_only_clicks_of_the_enrolled_in_these_weeks_count_and_the_others_are_told() -> None:
    clicks = log(("ann", 1, "v1"), ("ann", 8, "v1"), ("ann", 15, "v1"), ("staff", 2, "v1"), ("staff", 3, "x"))
    events, counts = taken(clicks, "ann", "bob")
    assert events["student"].to_list() == ["ann", "ann"]
    assert (counts.used, counts.outside, counts.others, counts.others_clicks, counts.silent) == (2, 1, 1, 2, 1)
    assert counts.rows == 9


@pytest.mark.parametrize(
    ("clicks", "said"),
    [
        ([("ann", 99, "v1")], "spans 2026-12-22 to 2026-12-22 and has no event in weeks 1 to 2, 2026-09-14 to"),
        ([("1234", 9, "v1")], r"no student of the list \('ann', 'bob'\) is in the log, which has '1234'"),
        ([("ann", 3, "v1"), ("eve", 9, "v1")], r"the log ends on 2026-09-17, in week 1, but .* weeks_done = 2"),
        ([("ann", 9, "film-1")], r"no video or problem of the log is in schedule.toml; the log has 'film-1', .* 'v1'"),
    ],
)
def test_a_log_that_cannot_be_right_is_refused(clicks: list[tuple[str, int, str]], said: str) -> None:
    with pytest.raises(BundleError, match=f"current run: .*{said}"):
        taken(log(*clicks), "ann", "bob")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda t: t.rename({"kind": "type"}), r"column 'kind' must be of type String, not no such column"),
        (lambda t: t.cast({"value": pl.String}), r"column 'value' must be of type Float64, not String"),
        (lambda t: t.with_columns(kind=pl.lit("video.watch")), r":1: is no event: \('ann', .*'video.watch'"),
        (lambda t: t.with_columns(student=pl.lit(None, pl.String)), r":1: is no event: \(None"),
        (lambda t: t.clear(), "holds no event"),
    ],
)
def test_a_parquet_in_another_form_is_named(
    tmp_path: Path, spoil: Callable[[pl.DataFrame], pl.DataFrame], said: str
) -> None:
    path = tmp_path / "events.parquet"
    spoil(log(("ann", 1, "v1")).collect()).write_parquet(path)
    with pytest.raises(BundleError, match=rf"events\.parquet:? ?{said}"):
        read(path)


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "events.parquet").write_text("student,time\n")
    with pytest.raises(BundleError, match=r"events\.parquet: is not a readable parquet file"):
        read(tmp_path / "events.parquet")
    with pytest.raises(BundleError, match=r"none\.parquet: is not a readable"):
        read(tmp_path / "none.parquet")


def test_malformed_lines_are_held_against_what_may_be_skipped(tmp_path: Path) -> None:
    path = write(tmp_path / "log.jsonl", [edx("load_video", {"id": "v1"}), "{broken", edx("page_close")])
    tolerance = Tolerance(allowed=1)
    _, counts = read_log([path], "edx", "UTC", tmp_path / "out.parquet", tolerance, lambda done, total: None)
    assert (counts.rows, counts.kept, counts.malformed, counts.unknown) == (3, 1, 1, {"page_close": 1})
    assert [each.startswith(f"{path}:2: ") for each in tolerance.skipped] == [True]
    with pytest.raises(TooManyErrors, match=r"none may be skipped:\n.*log\.jsonl:2: "):
        read_log([path], "edx", "UTC", tmp_path / "out.parquet", tolerance, lambda done, total: None)


def read(path: Path) -> None:
    read_log([path], "parquet", "UTC", path.with_name("unused"), Tolerance(), lambda done, total: None)


def test_an_earlier_run_keeps_weekdays_and_wall_clocks() -> None:
    summer = datetime(2026, 9, 14, 6, tzinfo=UTC)  # 8 o'clock in Zurich
    schedule = Schedule(START, "Europe/Zurich", 3, (ScheduledItem("v1", "video", 1, summer, summer, 10.0),))
    year, winter = shift_schedule(schedule, None), shift_schedule(schedule, datetime(2026, 1, 12).date())
    assert year.start == datetime(2025, 9, 15)
    assert winter.start == datetime(2026, 1, 12)
    assert winter.items[0].released == winter.items[0].due == datetime(2026, 1, 12, 8)
    with pytest.raises(BundleError, match="must start on a Monday; 2026-01-13 is a Tuesday"):
        shift_schedule(schedule, datetime(2026, 1, 13).date())
