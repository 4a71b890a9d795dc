"""Jumps, pauses, speed and time played."""

from statistics import pstdev

import pytest

from tests.data.features.scene import features


def test_jumps_are_measured_whichever_way_they_go() -> None:
    week = features("""
        Mon 10:00:00 video.seek v1 -20
        Mon 10:01:00 video.seek v1 50
        Mon 10:02:00 video.seek other 20
        Mon 10:03:00 video.seek v1
        Mon 10:04:00 video.speed v1 2
    """)
    assert week["AvgSeekLength"] == pytest.approx((20 + 50 + 20) / 3)
    assert week["StdSeekLength"] == pytest.approx(pstdev([20, 50, 20]))


def test_without_a_jump_of_known_length_there_is_no_average_jump() -> None:
    week = features("Mon 10:00:00 video.seek v1\n Mon 10:01:00 video.speed v1 2")
    assert not {"AvgSeekLength", "StdSeekLength"} & week.keys()


def test_a_pause_lasts_to_the_next_event_on_the_same_video() -> None:
    week = features("""
        Mon 10:00:00 video.play v1
        Mon 10:01:00 video.pause v1
        Mon 10:01:20 problem.check p1 1
        Mon 10:01:30 video.play v1
        Mon 10:02:00 video.pause v1
        Mon 10:03:00 video.seek v1 -10
    """)
    assert week["AvgPauseDuration"] == (30 + 60) / 2  # the problem in between does not end the first
    assert week["StdPauseDuration"] == pstdev([30, 60])


@pytest.mark.parametrize(
    "then", ["Mon 11:00:01 video.play v1", "Mon 10:00:00.5 video.play v1", "Mon 10:05:00 video.play v2"]
)
def test_a_pause_of_more_than_an_hour_or_before_another_video_is_none(then: str) -> None:
    week = features(f"Mon 10:00:00 video.pause v1\n {then}")
    assert not {"AvgPauseDuration", "StdPauseDuration"} & week.keys()


def test_a_pause_at_the_end_of_the_week_has_no_length() -> None:
    slip = "w1 Sun 23:59:00 video.pause v1\n w2 Mon 00:01:00 video.play v1"
    assert "AvgPauseDuration" not in features(slip, week=1)


def test_time_at_higher_speed_follows_every_video_event_until_the_speed_is_normal() -> None:
    week = features("""
        Mon 10:00:00 video.play v1
        Mon 10:01:00 video.speed v1 1.5
        Mon 10:03:00 video.pause v1
        Mon 10:03:10 video.play v2
        Mon 10:04:10 page.view a
        Mon 12:00:00 video.speed v2 1
        Mon 12:01:00 video.pause v2
    """)
    assert week["AvgTimeSpeedingUp"] == pytest.approx((120 + 10 + 60) / 3)
    assert week["StdTimeSpeedingUp"] == pytest.approx(pstdev([120, 10, 60]))


def test_slower_is_not_faster_and_a_new_week_begins_at_normal_speed() -> None:
    slip = """
        w1 Mon 10:00:00 video.speed v1 0.75
        w1 Mon 10:01:00 video.pause v1
        w1 Sun 10:00:00 video.speed v1 2
        w2 Mon 10:00:00 video.play v1
        w2 Mon 10:01:00 video.pause v1
    """
    assert "AvgTimeSpeedingUp" not in features(slip, week=1)
    assert not {"AvgTimeSpeedingUp", "StdTimeSpeedingUp"} & features(slip, week=2).keys()


def test_video_clicks_are_set_against_the_time_played() -> None:
    week = features("""
        Mon 10:00:00 video.load v1
        Mon 10:00:30 video.play v1
        Mon 10:01:30 video.seek v1 20
        Mon 10:02:00 video.pause v1
        Mon 10:09:00 video.seek v1 -20
        Mon 10:10:00 video.play v2
        Mon 10:10:10 page.view a
    """)
    played = 60 + 30 + 10  # a jump goes on playing, but not while paused
    assert week["FrequencyEventVideo"] == pytest.approx(6 / played)


def test_without_time_played_there_is_no_such_frequency() -> None:
    assert "FrequencyEventVideo" not in features("Mon 10:00:00 video.load v1\n Mon 10:05:00 video.seek v1 9")
    assert "FrequencyEventVideo" not in features("Mon 10:00:00 video.play v1")


def test_another_video_does_not_play_because_the_last_one_did() -> None:
    slip = "Mon 10:00:00 video.play v1\n Mon 10:00:10 video.seek v2 9\n Mon 10:01:00 page.view a"
    assert features(slip)["FrequencyEventVideo"] == pytest.approx(2 / 10)
