"""Sessions, and the rhythm of the hours. In week 1 the longest item is a video of 20 minutes: so may a gap."""

import dataclasses
import math
from statistics import pstdev

import pytest

from tests.data.features.scene import SCHEDULE, features

THREE = """
    Mon 10:00:00 page.view a
    Mon 10:10:00 page.view b
    Mon 10:30:00 page.view c

    Tue 10:00:00 page.view a
    Tue 10:01:00 page.view b
    Tue 10:02:00 page.view c

    Thu 10:00:00 page.view a
    Thu 10:05:00 page.view b
    Thu 10:10:00 page.view c
"""
LENGTHS = [30 * 60, 2 * 60, 10 * 60]
BREAKS = [(23 * 60 + 30) * 60, (2 * 24 * 60 - 2) * 60]


def test_sessions_are_counted_and_timed_from_first_to_last_event() -> None:
    week = features(THREE)
    assert week["NumberOfSessions"] == 3
    assert week["TotalTimeSessions"] == 1800 + 120 + 600
    assert week["AvgTimeSessions"] == pytest.approx((1800 + 120 + 600) / 3)
    assert week["StdTimeSessions"] == pytest.approx(pstdev(LENGTHS))


def test_breaks_last_from_the_end_of_a_session_to_the_start_of_the_next() -> None:
    assert features(THREE)["StdTimeBetweenSessions"] == pytest.approx(pstdev(BREAKS))


def test_a_single_break_is_not_called_even() -> None:
    two = "\n".join(THREE.splitlines()[:8])
    assert features(two)["NumberOfSessions"] == 2
    assert "StdTimeBetweenSessions" not in features(two)


def test_one_session_has_no_breaks_but_a_length() -> None:
    week = features("\n".join(THREE.splitlines()[:4]))
    assert week["AvgTimeSessions"] == 1800
    assert week["StdTimeSessions"] == 0
    assert "StdTimeBetweenSessions" not in week


@pytest.mark.parametrize(("clock", "sessions"), [("10:20:02", 1), ("10:20:03", 0)])
def test_a_gap_longer_than_the_longest_item_of_the_week_ends_a_session(clock: str, sessions: int) -> None:
    slip = f"Mon 10:00:00 page.view a\n Mon 10:00:02 page.view b\n Mon {clock} page.view c"
    assert features(slip)["NumberOfSessions"] == sessions


def test_the_longest_item_is_that_of_the_same_week() -> None:
    slip = "w2 Mon 10:00:00 page.view a\n w2 Mon 10:05:00 page.view b\n w2 Mon 10:10:01 page.view c"
    assert features(slip, week=2)["NumberOfSessions"] == 0  # problems of 5 minutes are all there is
    assert features(slip.replace("w2", "w3"), week=3)["NumberOfSessions"] == 1


def test_a_week_without_items_goes_by_the_longest_of_the_course_and_a_bare_course_by_an_hour() -> None:
    slip = "w2 Mon 10:00:00 page.view a\n w2 Mon 10:20:00 page.view b\n w2 Mon 10:40:00 page.view c"
    items = tuple(item for item in SCHEDULE.items if item.week != 2)
    assert features(slip, 2, dataclasses.replace(SCHEDULE, items=items))["NumberOfSessions"] == 1
    hours = slip.replace("10:20", "11:00").replace("10:40", "12:00")
    assert features(hours, 2, dataclasses.replace(SCHEDULE, items=items))["NumberOfSessions"] == 0
    assert features(hours, 2, dataclasses.replace(SCHEDULE, items=()))["NumberOfSessions"] == 1


def test_two_events_are_no_session_so_means_over_sessions_are_missing() -> None:
    week = features("Mon 10:00:00 page.view a\n Mon 10:01:00 page.view b")
    assert week["NumberOfSessions"] == 0
    assert week["TotalTimeSessions"] == 0
    assert not {"AvgTimeSessions", "StdTimeSessions", "StdTimeBetweenSessions"} & week.keys()


def test_a_session_ends_with_the_week() -> None:
    slip = """
        w1 Sun 23:50:00 page.view a
        w1 Sun 23:59:00 page.view b
        w2 Mon 00:00:00 page.view c
        w2 Mon 00:01:00 page.view d
    """
    assert features(slip, week=1)["NumberOfSessions"] == 0
    assert features(slip, week=2)["NumberOfSessions"] == 0


def test_the_peak_is_what_entropy_falls_short_of_times_the_busiest_hour() -> None:
    week = features("""
        Mon 10:00:00 page.view a
        Mon 10:59:59 page.view b
        Wed 10:30:00 page.view c
        Tue 15:00:00 page.view d
    """)
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))  # three events at ten, one at three
    assert week["RegPeakTimeDayHour"] == pytest.approx((math.log(24) - entropy) * 3)


def test_one_event_in_each_hour_of_the_day_has_no_peak() -> None:
    slip = "\n".join(f"Tue {hour:02}:00:00 page.view a" for hour in range(24))
    assert features(slip)["RegPeakTimeDayHour"] == pytest.approx(0, abs=1e-9)
    assert features(slip)["RegPeriodicityDayHour"] == pytest.approx(0, abs=1e-9)


def test_active_hours_at_the_same_time_of_day_add_up_whatever_their_events() -> None:
    week = features("""
        Mon 10:00:00 page.view a
        Mon 10:01:00 page.view a
        Wed 10:30:00 page.view c
        Tue 16:00:00 page.view d
    """)
    # Two hours point one way; six hours are a quarter of the clock, so the third stands at a right angle.
    assert week["RegPeriodicityDayHour"] == pytest.approx(math.sqrt(2**2 + 1**2))


def test_hours_twelve_apart_cancel_out() -> None:
    week = features("Mon 09:00:00 page.view a\n Thu 21:00:00 page.view a")
    assert week["RegPeriodicityDayHour"] == pytest.approx(0, abs=1e-9)


def test_both_are_missing_in_an_idle_week() -> None:
    week = features("w2 Mon 10:00:00 page.view a", week=1)
    assert not {"RegPeakTimeDayHour", "RegPeriodicityDayHour"} & week.keys()


def test_hours_are_those_of_the_wall_clock_also_when_summer_time_ends() -> None:
    # 2026-10-25: the clock in Zurich goes back; nine o'clock stays nine o'clock.
    schedule = type(SCHEDULE)(SCHEDULE.start.replace(month=10, day=19), "Europe/Zurich", 2, SCHEDULE.items)
    slip = "w1 Sat 09:30:00 page.view a\n w1 Sun 09:30:00 page.view a"
    assert features(slip, 1, schedule)["RegPeriodicityDayHour"] == pytest.approx(2)
