"""A cohort as a whole: seeded, complete, told as the platform records it."""

import polars as pl

from data.cohort.simulate import Cohort, simulate_cohort
from data.course import Course
from data.events.schema import SCHEMA, Kind
from data.schedule import Schedule
from tests.data.cohort.conftest import STUDENTS


def of(cohort: Cohort, students: list[str]) -> pl.DataFrame:
    return cohort.events.filter(pl.col("student").is_in(students))


def test_events_follow_the_schema_in_the_order_of_students_and_time(cohort: Cohort) -> None:
    assert cohort.events.schema == SCHEMA
    assert cohort.events.equals(cohort.events.sort("student", "time"))
    assert set(cohort.events["kind"]) == set(Kind)
    known = set(cohort.traits)
    assert len(known) == 200 and {"s001", "s200"} <= known
    assert set(cohort.events["student"]) <= known == set(cohort.scores) == set(cohort.passed)


def test_every_event_lies_in_a_week_of_the_course(cohort: Cohort, schedule: Schedule) -> None:
    first, last = cohort.events["time"].min(), cohort.events["time"].max()
    assert schedule.week_of(first) == 1  # type: ignore[arg-type]
    assert schedule.week_of(last) == schedule.weeks  # type: ignore[arg-type]


def test_nobody_does_two_things_at_once(cohort: Cohort) -> None:
    gap = cohort.events.select(pl.col("time").diff().over("student").dt.total_microseconds())["time"]
    assert gap.min() >= 900_000  # type: ignore[operator]


def test_only_some_kinds_bear_a_value(cohort: Cohort) -> None:
    valued = {Kind.PROBLEM_CHECK, Kind.VIDEO_SEEK, Kind.VIDEO_SPEED}
    told = cohort.events.group_by("kind").agg(pl.col("value").is_not_null().mean())
    assert dict(told.iter_rows()) == {kind: float(kind in valued) for kind in Kind}


def test_the_same_seed_gives_the_same_cohort_and_another_one_another(course: Course, schedule: Schedule) -> None:
    one, again, other = (simulate_cohort(course, schedule, seed, STUDENTS[:5]) for seed in (1, 1, 2))
    assert one.events.equals(again.events) and one.scores == again.scores and one.traits == again.traits
    assert not one.events.equals(other.events) and one.traits != other.traits


def test_a_student_does_not_change_when_the_cohort_grows(cohort: Cohort, course: Course, schedule: Schedule) -> None:
    few = simulate_cohort(course, schedule, 5, STUDENTS[:3])
    assert few.events.equals(of(cohort, ["s001", "s002", "s003"]))
    assert all(cohort.scores[name] == scores for name, scores in few.scores.items())


def test_what_is_recorded_does_not_change_what_is_done(course: Course, schedule: Schedule) -> None:
    kinds = frozenset({Kind.VIDEO_LOAD, Kind.PROBLEM_CHECK})
    full = simulate_cohort(course, schedule, 3, STUDENTS[:8])
    less = simulate_cohort(course, schedule, 3, STUDENTS[:8], kinds=kinds, marks=False)
    expected = full.events.filter(pl.col("kind").is_in(list(kinds))).with_columns(value=pl.lit(None, pl.Float64))
    assert less.events.equals(expected)
    assert less.scores == full.scores


def test_without_marks_only_those_are_hidden(course: Course, schedule: Schedule) -> None:
    told = simulate_cohort(course, schedule, 3, STUDENTS[:8], marks=False).events
    values = dict(told.group_by("kind").agg(pl.col("value").count()).iter_rows())
    assert values[Kind.PROBLEM_CHECK] == 0 < values[Kind.VIDEO_SEEK]


def test_students_bear_the_names_given_and_progress_is_told(course: Course, schedule: Schedule) -> None:
    told: list[tuple[int, int]] = []
    few = simulate_cohort(course, schedule, 1, ["p001", "b", "a"], progress=lambda *done: told.append(done))
    assert list(few.passed) == ["p001", "b", "a"]
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_harder_course_is_passed_by_fewer(course: Course, schedule: Schedule) -> None:
    easy, hard = (simulate_cohort(course, schedule, 4, STUDENTS[:60], by) for by in (0.2, 0.5))
    assert sum(easy.passed.values()) > sum(hard.passed.values()) + 10
    assert easy.events.equals(hard.events)
