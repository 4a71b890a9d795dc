"""Marks, attempts and the time between them."""

from pathlib import Path

import polars as pl
import pytest

from data.events.reading import read_events
from data.features.weekly import weekly_features
from tests.data.events.written_logs import edx, write
from tests.data.features.scene import SCHEDULE, features

WEEK = """
    Mon 10:00:00 problem.check p1 0.5
    Mon 10:02:00 problem.check p2 1
    Mon 10:03:00 problem.check p1 0
    Mon 10:04:00 problem.check p1 1
    Mon 10:05:00 problem.check unlisted 0.5
"""


def test_strength_is_the_best_mark_for_each_attempt() -> None:
    assert features(WEEK)["CompetencyStrength"] == pytest.approx((1 / 3 + 1 / 1 + 0.5 / 1) / 3)


def test_shape_is_the_share_of_problems_solved_at_once() -> None:
    assert features(WEEK)["StudentShape"] == pytest.approx(1 / 3)  # p2 of p1, p2 and the unlisted one


def test_speed_adds_up_the_time_between_attempts_at_one_problem() -> None:
    twice = WEEK + "Tue 10:00:00 problem.check p2 1\n Tue 10:00:30 problem.check p2 1"
    assert features(WEEK)["StudentSpeed"] == 180 + 60  # p1 alone was tried again
    assert features(twice)["StudentSpeed"] == ((180 + 60) + 30) / 2  # a day's gap is no time between attempts


def test_a_single_attempt_and_attempts_a_day_apart_have_no_speed() -> None:
    assert "StudentSpeed" not in features("Mon 10:00:00 problem.check p1 1")
    assert "StudentSpeed" not in features("Mon 10:00:00 problem.check p1 0\n Tue 10:00:00 problem.check p1 1")


def test_without_a_mark_there_is_no_strength_and_no_shape() -> None:
    week = features("Mon 10:00:00 problem.check p1\n Mon 10:01:00 problem.check p1")
    assert not {"CompetencyStrength", "StudentShape"} & week.keys()
    assert week["StudentSpeed"] == 60


def test_an_attempt_without_a_mark_counts_as_an_attempt() -> None:
    week = features("Mon 10:00:00 problem.check p1\n Mon 10:01:00 problem.check p1 1")
    assert week["CompetencyStrength"] == 1 / 2
    assert week["StudentShape"] == 0


def test_the_first_attempt_is_the_first_of_the_week() -> None:
    slip = "w1 Sun 23:00:00 problem.check p1 0\n w2 Mon 01:00:00 problem.check p1 1"
    assert features(slip, week=1)["StudentShape"] == 0
    assert features(slip, week=2)["StudentShape"] == 1
    assert features(slip, week=2)["CompetencyStrength"] == 1


def test_nothing_is_said_of_problems_in_a_week_without_attempts() -> None:
    week = features("Mon 10:00:00 video.load v1")
    assert not {"CompetencyStrength", "StudentShape", "StudentSpeed"} & week.keys()


def test_a_log_that_tells_only_right_from_wrong_does_not_make_wrong_answers_right(tmp_path: Path) -> None:
    tries = [("p1", "incorrect")] * 5 + [("p2", "incorrect")] * 5 + [("p9", "correct")]
    told = [{"problem_id": name, "success": success} for name, success in tries]
    lines = [
        edx("problem_check", each, event_source="server", time=f"2026-09-14T10:{minute:02}Z")
        for minute, each in enumerate(told)
    ]
    read_events([write(tmp_path / "log", lines)], tmp_path / "events.parquet", "edx")
    week = dict(
        weekly_features(pl.scan_parquet(tmp_path / "events.parquet"), SCHEDULE, 1)
        .filter(student="7", week=1)
        .select("feature", "value")
        .iter_rows()
    )
    assert week["CompetencyStrength"] == pytest.approx((0 + 0 + 1) / 3)
    assert week["StudentShape"] == pytest.approx(1 / 3)
    assert week["CompetencyAlignment"] == 0  # neither p1 nor p2, which the week plans, was solved
