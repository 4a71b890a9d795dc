"""The plan: v1, v2, p1 and p2 in week 1, p3 and p4 in week 2, v3 and v4 in week 3."""

import pytest

from tests.data.features.scene import SCHEDULE, features

HOUR = 3600


def test_content_alignment_is_the_share_of_the_weeks_videos_touched() -> None:
    slip = "Mon 10:00:00 video.load v1\n Tue 10:00:00 video.seek v1 5\n Tue 11:00:00 video.load v3"
    assert features(slip)["ContentAlignment"] == 1 / 2
    assert features("Mon 10:00:00 page.view a")["ContentAlignment"] == 0 / 2
    assert features(slip, week=3)["ContentAlignment"] == 0 / 2  # v3 was touched too early for that


def test_content_anticipation_is_the_share_of_all_later_videos_touched() -> None:
    assert features("Mon 10:00:00 video.load v3")["ContentAnticipation"] == 1 / 2
    assert features("Mon 10:00:00 video.load v1")["ContentAnticipation"] == 0 / 2


def test_competency_alignment_is_the_share_of_the_weeks_problems_solved_in_it() -> None:
    slip = """
        w1 Mon 10:00:00 problem.check p1 0.5
        w1 Mon 11:00:00 problem.check p1 1
        w1 Mon 12:00:00 problem.check p2 0.9
        w2 Mon 12:00:00 problem.check p2 1
    """
    assert features(slip)["CompetencyAlignment"] == 1 / 2
    assert features(slip, week=2)["CompetencyAlignment"] == 0 / 2


def test_competency_anticipation_is_the_share_of_all_later_problems_tried() -> None:
    assert features("Mon 10:00:00 problem.check p4 0")["CompetencyAnticipation"] == 1 / 2
    assert features("Mon 10:00:00 forum.view p4")["CompetencyAnticipation"] == 0 / 2


def test_what_a_week_does_not_offer_has_no_share() -> None:
    slip = "w2 Mon 10:00:00 page.view a\n w3 Mon 10:00:00 page.view a"
    assert "ContentAlignment" not in features(slip, week=2)
    assert "CompetencyAlignment" not in features(slip, week=3)
    assert not {"ContentAnticipation", "CompetencyAnticipation"} & features(slip, week=3).keys()
    assert "CompetencyAnticipation" not in features(slip, week=2)
    assert features(slip, week=2)["ContentAnticipation"] == 0


def test_problems_tried_without_a_mark_may_have_been_solved() -> None:
    assert "CompetencyAlignment" not in features("Mon 10:00:00 problem.check p1")
    assert features("Mon 10:00:00 problem.check p3")["CompetencyAlignment"] == 0


def test_in_an_idle_week_shares_of_its_material_are_0() -> None:
    week = features("w2 Mon 10:00:00 page.view a", week=1)
    assert [week[f"Content{what}"] for what in ("Alignment", "Anticipation")] == [0, 0]
    assert [week[f"Competency{what}"] for what in ("Alignment", "Anticipation")] == [0, 0]


def test_the_delay_is_from_release_to_the_first_touch_of_the_week() -> None:
    week = features("""
        Mon 07:00:00 video.load v1
        Tue 10:00:00 video.load v1
        Thu 12:00:00 video.load v2
        Thu 13:00:00 video.load v3
    """)
    assert week["DelayLecture"] == (-1 * HOUR + 36 * HOUR) / 2  # v1 came out on Monday at 8, v2 on Wednesday


def test_a_video_released_in_an_earlier_week_is_late_from_the_monday_of_its_own() -> None:
    assert features("w3 Tue 00:00:00 video.load v3", week=3)["DelayLecture"] == 24 * HOUR


def test_a_view_in_an_earlier_week_is_not_seen() -> None:
    slip = "w1 Mon 10:00:00 video.load v3\n w3 Wed 00:00:00 video.load v3"
    assert features(slip, week=3)["DelayLecture"] == 48 * HOUR


def test_without_a_video_of_the_week_there_is_no_delay() -> None:
    assert "DelayLecture" not in features("Mon 10:00:00 video.load v3")
    assert "DelayLecture" not in features("Mon 10:00:00 problem.check p1 1")


def test_the_delay_stays_within_a_week_when_summer_time_ends() -> None:
    schedule = type(SCHEDULE)(SCHEDULE.start.replace(month=10, day=19), "Europe/Zurich", 3, SCHEDULE.items)
    delay = features("Sun 23:30:00 video.load v1", 1, schedule)["DelayLecture"]
    assert delay == pytest.approx((7 * 24 - 0.5) * HOUR)
