"""The rhythm of the hours."""

import math

import pytest

from tests.data.features.scene import SCHEDULE, features


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
