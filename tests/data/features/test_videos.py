"""Jumps, pauses, speed and time played; the week's videos: v1 lasts 10 minutes, v2 20, both are of week 1."""

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


WHOLE = """
    Mon 10:00:00 video.play v1
    Mon 10:10:00 video.stop v1
"""


def test_watched_is_touched_in_that_week() -> None:
    assert features("Mon 10:00:00 video.load v1")["AvgWatchedWeeklyProp"] == 1 / 2
    assert features(WHOLE + "Tue 10:00:00 video.load v2")["AvgWatchedWeeklyProp"] == 2 / 2


def test_replayed_is_touched_on_two_dates() -> None:
    slip = "Mon 08:00:00 video.load v1\n Mon 23:59:00 video.load v1\n Tue 23:59:00 video.load v2"
    assert features(slip)["AvgReplayedWeeklyProp"] == 0 / 2
    assert features(slip + "\n Wed 00:01:00 video.load v2")["AvgReplayedWeeklyProp"] == 1 / 2


def test_a_video_seen_to_the_end_is_not_interrupted() -> None:
    assert features(WHOLE + "Mon 10:11:00 video.load v3")["AvgInterruptedWeeklyProp"] == 0 / 2


def test_a_video_left_for_another_one_is_interrupted() -> None:
    slip = "Mon 10:00:00 video.play v1\n Mon 10:05:00 video.load v3\n Mon 10:06:00 video.play v3"
    assert features(slip)["AvgInterruptedWeeklyProp"] == 1 / 2  # v3 is not of this week


@pytest.mark.parametrize(("clock", "share"), [("10:09:00", 0 / 2), ("10:08:59", 1 / 2)])
def test_the_last_minute_of_a_video_may_be_left_out(clock: str, share: float) -> None:
    assert features(f"Mon 10:00:00 video.play v1\n Mon {clock} video.stop v1")["AvgInterruptedWeeklyProp"] == share


@pytest.mark.parametrize(("clock", "share"), [("11:05:00", 0 / 2), ("11:05:01", 1 / 2)])
def test_a_break_of_more_than_an_hour_interrupts(clock: str, share: float) -> None:
    slip = f"""
        Mon 10:00:00 video.play v1
        Mon 10:05:00 video.pause v1
        Mon {clock} video.play v1
        Mon 12:00:00 video.stop v1
    """
    assert features(slip)["AvgInterruptedWeeklyProp"] == share


def test_other_work_does_not_make_a_break_shorter() -> None:
    slip = "Mon 10:00:00 video.play v1\n Mon 10:05:00 video.pause v1\n Mon 10:06:00 problem.check p1 1"
    assert features(slip)["AvgInterruptedWeeklyProp"] == 1 / 2


def test_jumps_and_speed_move_the_position() -> None:
    ahead = "Mon 10:00:00 video.play v1\n Mon 10:01:00 video.seek v1 480\n Mon 10:01:30 video.stop v1"
    assert features(ahead)["AvgInterruptedWeeklyProp"] == 0 / 2  # 60 + 480 + 30 of 600 seconds
    back = "Mon 10:00:00 video.play v1\n Mon 10:09:00 video.seek v1 -120\n Mon 10:09:30 video.stop v1"
    assert features(back)["AvgInterruptedWeeklyProp"] == 1 / 2
    fast = "Mon 10:00:00 video.speed v1 2\n Mon 10:00:00 video.play v1\n Mon 10:04:30 video.stop v1"
    assert features(fast)["AvgInterruptedWeeklyProp"] == 0 / 2


def test_a_video_interrupted_twice_is_one_video() -> None:
    slip = """
        Mon 10:00:00 video.play v1
        Mon 10:01:00 video.play v2
        Mon 10:02:00 video.play v1
        Mon 10:03:00 video.play v2
    """
    assert features(slip)["AvgInterruptedWeeklyProp"] == 2 / 2


def test_a_single_week_has_no_deviation_between_weeks() -> None:
    week = features(WHOLE)
    assert [week[f"Std{what}WeeklyProp"] for what in ("Watched", "Replayed", "Interrupted")] == [0, 0, 0]


def test_a_week_without_videos_has_no_shares_and_an_idle_one_has_shares_of_0() -> None:
    slip = "w2 Mon 10:00:00 video.play v1"
    names = [f"{kind}{what}WeeklyProp" for kind in ("Avg", "Std") for what in ("Watched", "Replayed", "Interrupted")]
    assert not set(names) & features(slip, week=2).keys()
    assert [features(slip, week=1)[name] for name in names] == [0] * 6
