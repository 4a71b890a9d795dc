"""A schedule is read as a person wrote it, or refused with the file and the entry."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from data.bundle_files import Location
from data.course import BundleError
from data.schedule import Schedule, ScheduledItem, read_schedule, shift_schedule

HEAD = 'start = 2026-09-14\ntimezone = "Europe/Zurich"\nweeks = 3\n'
ITEM = '[[items]]\nid = "v1"\nkind = "video"\nweek = 2\nminutes = 12.5\n'


def written(folder: Path, text: str) -> Path:
    (folder / "schedule.toml").write_text(text, encoding="utf-8")
    return folder


def read(folder: Path, text: str) -> Schedule:
    problems, schedule = complaints(folder, text)
    assert not problems and schedule is not None
    return schedule


def complaints(folder: Path, text: str) -> tuple[list[str], Schedule | None]:
    place = Location([])
    schedule = read_schedule(written(folder, text), place)
    return [str(problem) for problem in place.problems], schedule


def test_a_schedule_is_read_with_local_times(tmp_path: Path) -> None:
    times = "released = 2026-09-22T08:00:00\ndue = 2026-09-27T23:59:00\n"
    schedule = read(tmp_path, HEAD + ITEM + times)
    released, due = datetime(2026, 9, 22, 8), datetime(2026, 9, 27, 23, 59)
    item = ScheduledItem("v1", "video", 2, released, due, 12.5)
    assert schedule == Schedule(datetime(2026, 9, 14), "Europe/Zurich", 3, (item,))


def test_what_has_no_release_is_there_from_the_monday_of_its_week(tmp_path: Path) -> None:
    schedule = read(tmp_path, HEAD + ITEM)
    assert schedule.items[0].released == datetime(2026, 9, 21)
    assert schedule.items[0].due is None


def test_a_time_with_an_offset_is_put_on_the_wall_clock(tmp_path: Path) -> None:
    text = (HEAD + ITEM).replace("2026-09-14", "2026-09-13T22:00:00Z")
    schedule = read(tmp_path, text)
    assert schedule.monday(1) == datetime(2026, 9, 14)
    assert schedule.wall(datetime(2026, 12, 1, 12, tzinfo=UTC)) == datetime(2026, 12, 1, 13)


@pytest.mark.parametrize(
    ("moment", "week"),
    [
        (datetime(2026, 9, 13, 21, 59, 59, tzinfo=UTC), None),
        (datetime(2026, 9, 13, 22, tzinfo=UTC), 1),
        (datetime(2026, 9, 20, 23, 59, 59), 1),
        (datetime(2026, 9, 21), 2),
        (datetime(2026, 10, 4, 21, 59, 59, tzinfo=UTC), 3),
        (datetime(2026, 10, 4, 22, tzinfo=UTC), None),
    ],
)
def test_a_week_lasts_from_monday_to_sunday_on_the_wall_clock(moment: datetime, week: int | None) -> None:
    assert Schedule(datetime(2026, 9, 14), "Europe/Zurich", 3, ()).week_of(moment) == week


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("2026-09-14", "2026-09-15", r"schedule.toml, start: must be a Monday at 00:00 local time, not Tuesday"),
        ("2026-09-14", "2026-09-14T00:00:00Z", r"start: must be a Monday at 00:00 local time, not Monday .* 02:00"),
        ("2026-09-14", "5", "start: must be a date or a time, such as 2026-09-14"),
        ("Europe/Zurich", "Zurich", "timezone: 'Zurich' is no time zone"),
        ("Europe/Zurich", "Europe", "timezone: 'Europe' is no time zone"),
        ("weeks = 3", "weeks = 0", "weeks: input should be greater than or equal to 1"),
        ("weeks = 3\n", "", "weeks: field required"),
        ("[[items]]", "[[item]]", "items: must have at least one entry"),
        ('"video"', '"film"', "items 1 kind: input should be 'video' or 'problem'"),
        ("week = 2", "week = 4", "items 1: week must be 1 to 3, not 4"),
        ("12.5", "0", "items 1 minutes: input should be greater than 0"),
        ("12.5", "nan", "items 1 minutes: input should be "),
        ('"v1"', '" "', "items 1 id: is empty"),
        ("minutes", "minuets", "items 1 minutes: field required"),
        ("minutes", "room = 1\nminutes", "items 1 room: unexpected keyword argument"),
        (
            "minutes",
            "released = 2026-09-28\nminutes",
            "items 1: is released on 2026-09-28 00:00, after the end of week 2",
        ),
        ("minutes", "due = 2026-09-20\nminutes", "items 1: is due before it is released"),
        (HEAD, HEAD + ITEM, r"items 2: id 'v1' is used already by items 1"),
        (HEAD + ITEM, HEAD + "items = []", "items: must have at least one entry"),
        (HEAD + ITEM, "start =", "schedule.toml: is not valid TOML"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    text = (HEAD + ITEM).replace(before, after, 1)
    problems, _ = complaints(tmp_path, text)
    assert any(re.search(said, problem) for problem in problems), problems


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = HEAD.replace("09-14", "09-15") + ITEM.replace("12.5", "-1") + ITEM.replace("= 2", "= 9")
    problems, _ = complaints(tmp_path, text)
    # the length, the start, the week
    places = ["items 1 minutes", "start", "items 2"]
    assert [problem.split(": ")[0] for problem in problems] == [f"schedule.toml, {place}" for place in places]


def test_a_bundle_without_a_schedule_says_so(tmp_path: Path) -> None:
    place = Location([])
    assert read_schedule(tmp_path, place) is None
    assert [str(problem) for problem in place.problems] == ["schedule.toml: the file is missing"]


@pytest.mark.parametrize("start", ["0001-01-01", "1969-12-29"])
def test_an_earlier_run_before_there_were_logs_is_refused(tmp_path: Path, start: str) -> None:
    with pytest.raises(BundleError, match="must start in 1970 or later"):
        shift_schedule(read(tmp_path, HEAD + ITEM), date.fromisoformat(start))
