"""Points follow from what was done; outcomes from the points."""

from random import Random

import polars as pl
import pytest

from data.cohort.simulate import Cohort, TermRecord, passes, score_items
from data.cohort.traits import plan_weeks
from data.course import Course
from data.events.schema import Kind
from data.schedule import Schedule


def test_a_quiz_score_is_the_mean_of_the_best_marks_of_its_week(
    cohort: Cohort, course: Course, schedule: Schedule
) -> None:
    checks = cohort.events.filter(pl.col("kind") == Kind.PROBLEM_CHECK)
    best = {
        (who, what): mark
        for who, what, mark in checks.group_by("student", "object").agg(pl.col("value").max()).iter_rows()
    }
    for week in range(1, 10):
        problems = [item.id for item in schedule.items if item.kind == "problem" and item.week == week]
        assert len(problems) == course.week(week).quizzes
        for student, points in cohort.scores.items():
            marks = [best[student, problem] for problem in problems if (student, problem) in best]
            score = points[f"quiz-{week}"]
            assert (score is None) == (not marks)
            assert score is None or score == pytest.approx(sum(marks) / len(problems) * 10.0, abs=0.25)


def test_every_item_is_scored_to_the_half_point_within_its_maximum(cohort: Cohort, course: Course) -> None:
    for points in cohort.scores.values():
        assert list(points) == [item.id for item in course.grading]
        for item in course.grading:
            score = points[item.id]
            assert score is None or (0.0 <= score <= item.max_points and (2.0 * score).is_integer())


def term(course: Course, learnt: float, active: bool = True) -> TermRecord:
    return TermRecord({}, [learnt] * course.weeks, [active] * course.weeks)


def test_who_has_learnt_more_gets_more_points_with_the_same_luck(course: Course, schedule: Schedule) -> None:
    plan = plan_weeks(course, schedule)
    less, more = (score_items(Random("luck"), course, plan, term(course, by), 0.4) for by in (-1.0, 1.0))
    gained = [more[item] - less[item] for item in ("midterm", "final")]  # type: ignore[operator]
    assert gained[0] > 5 and gained[1] > 15
    assert all((more[f"homework-{week}"] or 0.0) >= (less[f"homework-{week}"] or 0.0) for week in range(2, 10))


def test_who_was_never_there_hands_in_nothing_and_fails(course: Course, schedule: Schedule) -> None:
    absent = score_items(Random("luck"), course, plan_weeks(course, schedule), term(course, 2.0, active=False), 0.4)
    assert set(absent.values()) == {None}
    assert not passes(course, absent)


def test_passing_takes_the_pass_mark_exactly(course: Course) -> None:
    enough = {item.id: item.max_points * course.pass_mark / 100.0 for item in course.grading}
    assert passes(course, enough)
    assert not passes(course, enough | {"final": enough["final"] - 1.0})
    assert not passes(course, enough | {"quiz-1": None})


def test_outcomes_follow_from_the_weighted_points(cohort: Cohort, course: Course) -> None:
    for student, points in cohort.scores.items():
        total = sum(item.weight * (points[item.id] or 0.0) / item.max_points for item in course.grading)
        assert cohort.passed[student] == (total >= 60.0), student
    assert 0.4 < sum(cohort.passed.values()) / 200 < 0.75
