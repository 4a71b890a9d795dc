"""Counts, times and shares of actions, each by hand from a handful of events."""

import pytest

from tests.data.features.scene import features

BUSY = """
    Mon 10:00:00 video.load v1
    Mon 10:00:10 video.play v1
    Mon 10:02:10 page.view outline
    Mon 10:03:10 problem.check p1 1
    Mon 10:03:40 forum.view thread
    Fri 23:59:59 problem.check p2 0
    Sat 00:00:00 video.play v1
    Sun 23:00:00 video.load v2
"""


def test_all_actions_are_counted_and_by_what_they_are_on() -> None:
    week = features(BUSY)
    assert week["TotalClicks"] == 8
    assert week["TotalClicksVideo"] == 4  # two loads, two plays
    assert week["TotalClicksVideoLoad"] == 2
    assert week["TotalClicksProblem"] == 2


def test_the_weekend_begins_on_saturday_at_midnight() -> None:
    week = features(BUSY)
    assert week["TotalClicksWeekday"] == 6
    assert week["TotalClicksWeekend"] == 2
    assert week["RatioClicksWeekendDay"] == 6 / 2


def test_the_ratio_is_missing_without_a_weekend_click() -> None:
    week = features("Mon 10:00:00 page.view outline")
    assert week["TotalClicksWeekend"] == 0
    assert "RatioClicksWeekendDay" not in week


def test_the_ratio_is_0_with_weekend_clicks_only() -> None:
    assert features("Sun 10:00:00 page.view outline")["RatioClicksWeekendDay"] == 0 / 1


def test_time_on_a_thing_goes_to_the_next_event_of_any_kind() -> None:
    week = features(BUSY)
    assert week["TotalTimeVideo"] == 10 + 120  # the page view ends it; the other gaps are hours
    assert week["TotalTimeProblem"] == 30 + 1


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [("10:00:00.5", 0), ("10:00:01", 1), ("11:00:00", 3600), ("11:00:01", 0)],
)
def test_a_gap_is_time_spent_from_a_second_to_an_hour_and_else_left_out(clock: str, seconds: int) -> None:
    week = features(f"Mon 10:00:00 video.play v1\n Mon {clock} page.view outline")
    assert week["TotalTimeVideo"] == seconds


def test_no_time_is_spent_across_the_end_of_a_week() -> None:
    slip = "w1 Sun 23:59:00 video.play v1\n w2 Mon 00:01:00 video.pause v1"
    assert features(slip, week=1)["TotalTimeVideo"] == 0
    assert features(slip, week=2)["TotalTimeVideo"] == 0


def test_a_frequency_is_a_share_of_all_actions() -> None:
    week = features("""
        Mon 10:00:00 video.load v1
        Mon 10:00:01 video.play v1
        Mon 10:00:02 video.play v1
        Mon 10:00:03 video.pause v1
        Mon 10:00:04 video.seek v1 -5
        Mon 10:00:05 video.seek v1 -8
        Mon 10:00:06 video.seek v1 30
        Mon 10:00:07 video.seek v1
        Mon 10:00:08 video.speed v1 1.5
        Mon 10:00:09 video.stop v1
        Mon 10:00:10 page.view outline
        Mon 10:00:11 page.view outline
    """)
    assert week["FrequencyEventLoad"] == pytest.approx(1 / 12)
    assert week["FrequencyEventPlay"] == pytest.approx(2 / 12)
    assert week["FrequencyEventPause"] == pytest.approx(1 / 12)
    assert week["FrequencyEventStop"] == pytest.approx(1 / 12)
    assert week["FrequencyEventSeekBackward"] == pytest.approx(2 / 12)
    assert week["FrequencyEventSeekForward"] == pytest.approx(1 / 12)  # the fourth went nowhere known
    assert week["FrequencyEventSpeedChange"] == pytest.approx(1 / 12)


def test_in_an_idle_week_counts_are_0_and_shares_of_actions_missing() -> None:
    week = features("w2 Mon 10:00:00 page.view outline", week=1)
    assert [week[name] for name in ("TotalClicks", "TotalClicksWeekday", "TotalClicksWeekend")] == [0, 0, 0]
    assert [week[name] for name in ("TotalClicksVideo", "TotalClicksProblem", "TotalClicksVideoLoad")] == [0, 0, 0]
    assert [week[name] for name in ("TotalTimeVideo", "TotalTimeProblem")] == [0, 0]
    assert not [name for name in week if name.startswith("FrequencyEvent")]
    assert "RatioClicksWeekendDay" not in week
