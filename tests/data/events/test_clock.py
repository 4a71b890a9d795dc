"""Times are read as they are written, and summer time neither loses nor doubles an hour."""

import polars as pl
import pytest

from data.events.clock import read_local, read_offset

ZURICH = "Europe/Zurich"


def utc(text: str, zone: str = ZURICH) -> str | None:
    time = read_local(pl.Series([text]), zone)["time"][0]
    return None if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


@pytest.mark.parametrize(
    "text",
    [
        "7/09/26, 21:40:00",
        "07/09/26, 21:40",
        "07/09/2026, 21:40",
        "7/9/2026 21:40:00",
        "07.09.2026 21:40",
        "7 Sep 2026, 9:40 PM",
        "7 September 2026, 09:40:00 pm",
        "Monday, 7 September 2026, 9:40\u202fPM",
        "07 sept. 26, 21:40",
        "lundi 7 septembre 2026, 21:40",
        "7 septembre 2026 à 21h40",
        "2026-09-07 21:40:00",
        "2026-09-07T21:40:00",
    ],
)
def test_one_moment_is_read_from_every_spelling(text: str) -> None:
    assert utc(text) == "2026-09-07 19:40:00"


def test_french_months_are_told_apart() -> None:
    months = "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc."
    for month, word in enumerate(months.split(), start=1):
        assert utc(f"3 {word} 2026, 12:00", "UTC") == f"2026-{month:02}-03 12:00:00"


@pytest.mark.parametrize(("text", "hour"), [("12:05 AM", 0), ("12:05 PM", 12), ("1:05 AM", 1), ("11:05 PM", 23)])
def test_noon_and_midnight_are_told_apart(text: str, hour: int) -> None:
    assert utc(f"3 May 2026, {text}", "UTC") == f"2026-05-03 {hour:02}:05:00"


@pytest.mark.parametrize("text", ["", "-", "7 Sep, 21:40", "31/02/26, 10:00", "7/09/26, 25:00", "7 Blub 2026, 9:00"])
def test_what_is_no_time_is_null(text: str) -> None:
    read = read_local(pl.Series([text]), ZURICH)
    assert read["time"].to_list() == [None]
    assert not read["month_first"][0]


def test_bad_times_among_good_ones_leave_these_alone() -> None:
    read = read_local(pl.Series(["7/09/26, 21:40", "never", "7 sept. 2026, 21:40", None]), ZURICH)
    assert read["time"].is_null().to_list() == [False, True, False, True]


def test_the_hour_that_is_shown_twice_is_taken_as_the_earlier() -> None:
    read = read_local(pl.Series(["25/10/26, 01:30", "25/10/26, 02:30", "25/10/26, 03:30"]), ZURICH)
    assert [f"{time:%d %H:%M}" for time in read["time"]] == ["24 23:30", "25 00:30", "25 02:30"]


def test_the_hour_that_is_skipped_is_moved_forward() -> None:
    read = read_local(pl.Series(["29/03/26, 01:30", "29/03/26, 02:30", "29/03/26, 03:30"]), ZURICH)
    assert [f"{time:%d %H:%M}" for time in read["time"]] == ["29 00:30", "29 01:30", "29 01:30"]


def test_a_zone_that_jumps_by_half_an_hour_moves_by_half_an_hour() -> None:
    read = read_local(pl.Series(["4/10/26, 02:10"]), "Australia/Lord_Howe")
    assert f"{read['time'][0]:%d %H:%M}" == "03 15:40"


def test_american_dates_are_marked_and_not_read() -> None:
    read = read_local(pl.Series(["9/27/26, 21:40", "27/9/26, 21:40"]), ZURICH)
    assert read["month_first"].to_list() == [True, False]
    assert read["time"].is_null().to_list() == [True, False]


def test_an_iso_time_without_an_offset_is_utc() -> None:
    texts = pl.Series(["2026-09-07T21:40:00.5", "2026-09-07 21:40:00+02:00", "2026-09-07T21:40:00Z", "never", None])
    hours = [None if time is None else time.hour for time in read_offset(texts)]
    assert hours == [21, 19, 21, None, None]
