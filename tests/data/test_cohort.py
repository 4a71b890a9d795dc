"""The simulated cohort: weeks that add up, a predictor that listens, explanations that flip it."""

import filecmp
import math
from pathlib import Path

import numpy as np
import pytest

from data.build import Cohort, build_cohort, enrolled, outline, raw_values, write_tables
from data.bundle import COURSES
from data.catalogue import load_catalogue
from data.cohort import simulate
from data.contrast import FEWEST, MOST, Range, explain
from data.course import Course
from data.predictor import Predictor, fit, sense
from data.study_week import FEATURES, Material, idle_week, week_features


@pytest.fixture(scope="module")
def course() -> Course:
    return outline(COURSES / "dsp")


@pytest.fixture(scope="module")
def cohort(course: Course) -> Cohort:
    return build_cohort(course, seed=5, count=80, earlier=400)


@pytest.fixture(scope="module")
def model(course: Course) -> Predictor:
    before = simulate(4, 400, course)
    return fit(raw_values(before, course.weeks_done), np.array([one.passed for one in before]))


def active_weeks(cohort: Cohort) -> list[dict[str, float | None]]:
    weeks = [week for student in cohort.students for week in student.weeks[:5] if week.starts.size]
    return [week_features(week) for week in weeks]


def test_features_of_a_week_do_not_contradict_each_other(cohort: Cohort) -> None:
    for row in active_weeks(cohort):
        known = {name: value for name, value in row.items() if value is not None}
        assert known["TotalClicksWeekday"] + known["TotalClicksWeekend"] == known["TotalClicks"]
        assert known["TotalClicksVideo"] + known["TotalClicksProblem"] <= known["TotalClicks"]
        total = known["NumberOfSessions"] * known["AvgTimeSessions"]
        assert total == pytest.approx(known["TotalTimeSessions"])
        assert known["TotalTimeVideo"] + known["TotalTimeProblem"] <= known["TotalTimeSessions"] + 1e-6
        assert known["TotalClicksVideoLoad"] <= known["TotalClicksVideo"]
        assert known.get("StudentShape", 0.0) <= known.get("CompetencyStrength", 1.0) + 1e-9


def test_every_value_lies_within_the_catalogue(cohort: Cohort) -> None:
    catalogue = load_catalogue()
    for row in active_weeks(cohort):
        for name, value in row.items():
            assert value is None or catalogue.by_name(name).allows(value), (name, value)


def test_sessions_lie_in_one_week_and_do_not_overlap(cohort: Cohort) -> None:
    for student in cohort.students:
        for week in student.weeks:
            ends = week.starts + week.lengths
            assert (week.starts[1:] >= ends[:-1]).all()
            assert week.starts.size == 0 or (week.starts[0] >= 0 and ends[-1] <= 7 * 24 * 3600)
            assert (week.clicks >= 3).all()


def test_an_idle_week_counts_nothing_and_leaves_means_missing() -> None:
    row = week_features(idle_week(Material(8, 5, 30, 17)))
    counts = ("TotalClicks", "NumberOfSessions", "TotalTimeSessions", "ContentAlignment")
    missing = ("AvgTimeSessions", "DelayLecture", "CompetencyStrength", "StdTimeBetweenSessions")
    assert all(row[name] == 0.0 for name in counts)
    assert all(row[name] is None for name in missing)


def test_the_last_week_has_nothing_left_to_anticipate() -> None:
    row = week_features(idle_week(Material(2, 0, 0, 0)))
    assert row["ContentAnticipation"] is None
    assert row["CompetencyAlignment"] is None


def test_a_student_stays_the_same_when_the_cohort_grows(course: Course) -> None:
    small, large = simulate(9, 3, course), simulate(9, 6, course)
    assert [one.scores for one in small] == [one.scores for one in large[:3]]
    assert np.array_equal(raw_values(small, 5), raw_values(large[:3], 5), equal_nan=True)


def test_quiz_grades_follow_from_the_solved_problems(course: Course, cohort: Cohort) -> None:
    for student in cohort.students:
        for number in range(1, 6):
            score, week = student.scores[f"quiz-{number}"], student.weeks[number - 1]
            assert (score is None) == (week.quiz_grade is None)
            if score is not None and week.quiz_grade is not None:
                assert score == pytest.approx(week.quiz_grade * 10.0, abs=0.25)


def test_only_concluded_items_are_graded(course: Course, cohort: Cohort) -> None:
    for student in enrolled(course, cohort).students.values():
        late = [grade for grade in student.grades if course.item(grade.item).week > course.weeks_done]
        assert late and all(grade.score is None for grade in late)


def test_ability_and_effort_both_pay_off(course: Course) -> None:
    students = simulate(3, 400, course)
    passed = np.array([one.passed for one in students])
    for trait in ("ability", "effort"):
        values = np.array([getattr(one.traits, trait) for one in students])
        assert values[passed].mean() > values[~passed].mean() + 0.2


def test_the_predictor_is_right_for_students_it_has_not_seen(cohort: Cohort) -> None:
    assert cohort.accuracy > 0.75
    assert 0.4 < float((cohort.probability >= 0.5).mean()) < 0.75


def test_no_weight_points_against_what_can_be_advised(model: Predictor) -> None:
    senses = np.array([sense(name) for name in FEATURES])
    assert (model.weight * senses >= 0.0).all()
    assert (model.weight[:, senses == 0] == 0.0).all()


def test_a_missing_value_is_neither_good_nor_bad_by_itself(model: Predictor) -> None:
    typical = model.mean.copy()
    without = typical.copy()
    without[:, FEATURES.index("DelayLecture")] = math.nan
    expected = float(model.missing_weight[:, FEATURES.index("DelayLecture")].sum())
    assert float(model.margin(without) - model.margin(typical)) == pytest.approx(expected)


def test_every_explanation_flips_its_prediction(model: Predictor, course: Course) -> None:
    raw = raw_values(simulate(8, 60, course), course.weeks_done)
    seen, explained = Range.of(raw), 0
    for student in raw:
        changed = student.copy()
        for one in explain(model, student, seen):
            cell = one.week - 1, FEATURES.index(one.feature)
            changed[cell] += one.change * model.deviation[cell]
            assert not math.isnan(student[cell])
            beyond = changed[cell] - (seen.high if one.change > 0 else seen.low)[cell]
            assert beyond * np.sign(one.change) <= 1e-6
            explained += 1
        if not np.array_equal(changed, student, equal_nan=True):
            assert (model.margin(changed) > 0) != (model.margin(student) > 0)
    assert explained > 100


def test_explanations_are_short_and_read_in_the_right_direction(cohort: Cohort) -> None:
    for index, found in enumerate(cohort.explanations):
        assert not found or FEWEST <= len(found) <= MOST
        toward = -1 if cohort.predicted(index) == "pass" else 1
        for one in found:
            assert (one.direction == "increase") == (toward * sense(one.feature) > 0), one
            assert one.importance >= 0.05


def test_explanations_differ_between_students_and_favour_late_weeks(cohort: Cohort) -> None:
    told = [one for found in cohort.explanations for one in found]
    assert len({one.feature for one in told}) >= 10
    assert len({found[0].feature for found in cohort.explanations if found}) >= 4
    late = sum(one.week >= 4 for one in told)
    assert 0.4 < late / len(told) < 0.9


def test_the_same_seed_writes_the_same_bytes(course: Course, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        write_tables(folder, enrolled(course, build_cohort(course, seed=2, count=6, earlier=60)))
    names = ["students.parquet", "predictions.parquet", "importance.parquet", "grades.parquet"]
    assert filecmp.cmpfiles(one, two, names, shallow=False)[0] == names
