"""A class too small to be told of: nothing that a student reads changes with what the classmates did."""

import dataclasses

import pytest

from data.bundle_cohort import THEORIES
from data.course import LEAST_CLASS, Course, Student
from data.pictures.influence import find_influence
from data.reports.claims import find_false_claims
from data.reports.compose import write_report
from data.reports.findings import gather_findings
from tests.data.reports.classes import made_up


def small(course_id: str, size: int) -> Course:
    """The first students of a class, whose explanations were made when it was larger."""
    whole = made_up(course_id)
    return dataclasses.replace(whole, students=dict(list(whole.students.items())[:size]))


def with_others_changed(course: Course, student: Student) -> Course:
    """The same class, but each classmate did half as much of everything."""
    changed = {
        one.id: one
        if one is student
        else dataclasses.replace(one, features={place: raw / 2 for place, raw in one.features.items()})
        for one in course.students.values()
    }
    return dataclasses.replace(course, students=changed)


@pytest.mark.parametrize("size", range(2, LEAST_CLASS))
@pytest.mark.parametrize("course_id", ["dsp", "geo"])
def test_a_report_says_the_same_whatever_the_few_classmates_did(course_id: str, size: int) -> None:
    course = small(course_id, size)
    for student in course.students.values():
        other = with_others_changed(course, student)
        for theory in THEORIES:
            text = write_report(course, student, theory)
            assert text == write_report(other, student, theory)
            assert not find_false_claims(text, student, course)
        assert find_influence(course, student) == find_influence(other, student)


def test_the_attack_is_one_since_a_larger_class_changes_what_is_found() -> None:
    course = small("dsp", 4 * LEAST_CLASS)
    seen = [one for one in course.students.values() if one.explained]
    assert any(gather_findings(course, one) != gather_findings(with_others_changed(course, one), one) for one in seen)
