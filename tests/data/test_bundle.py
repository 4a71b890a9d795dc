"""A bundle that is right loads, is found by its names and cannot be changed."""

from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

from data.bundle import COURSES, check, find, list_courses, load
from data.course import BrokenBundle, BundleError, UnknownStudent
from tests.data.mini_bundle import write_mini


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    return write_mini(tmp_path / "mini")


def test_a_complete_bundle_loads_without_a_problem(mini: Path) -> None:
    course = load(mini)
    assert check(mini) == []
    assert (course.id, course.weeks_done, course.pass_mark) == ("mini", 2, 60.0)
    assert [item.id for item in course.grading] == ["quiz-1", "final"]
    assert [section.id for section in course.syllabus] == ["syllabus-1", "syllabus-2"]
    assert [(each.id, each.title, each.week) for each in course.textbook] == [
        ("1.1", "Signals: a start", 1),
        ("3.1", "Filters", 3),
    ]
    assert "## code" in course.textbook[0].text
    assert course.exercises[1].solution == "Done."


def test_a_student_has_only_the_values_that_were_measured(mini: Path) -> None:
    student = load(mini).student("s001")
    assert dict(student.features) == {("NumberOfSessions", 1): 1.0}
    assert [each.importance for each in student.importances] == [0.4, 0.1]
    assert [each.week for each in student.in_week(2)] == [2]
    assert student.grades[1].score is None
    assert (student.predicted, student.probability) == ("fail", 0.2)
    assert dict(student.reports) == {"nr": "Your sessions were few."}


def test_what_is_typical_is_the_median_of_those_who_have_a_value_if_they_are_enough(mini: Path) -> None:
    course = load(mini)
    asking = course.student("s002")
    of_five = {f"c{number}": replace(asking, features={("StudentShape", 2): number / 10}) for number in range(5)}
    assert replace(course, students={**course.students, **of_five}).typical("StudentShape", 2) == 0.25
    assert replace(course, students=of_five).typical("StudentShape", 2) == 0.2
    assert course.typical("NumberOfSessions", 1) is None  # three have one: two values would tell the third
    assert course.typical("DelayLecture", 2) is None


def test_weeks_topics_and_items_are_found_or_refused_with_what_there_is(mini: Path) -> None:
    course = load(mini)
    assert course.week(3).topics == ("Filters",)
    assert course.week_of("sequences") == 1
    with pytest.raises(BundleError, match="weeks 1 to 3, not week 4"):
        course.week(4)
    with pytest.raises(BundleError, match="close topics are Vectors"):
        course.week_of("Vector")


def test_an_unknown_student_is_named_with_close_ids(mini: Path) -> None:
    with pytest.raises(UnknownStudent, match=r"no student 's01'; close ids are .*s001"):
        load(mini).student("s01")


def test_a_course_cannot_be_changed(mini: Path) -> None:
    course: Any = load(mini)
    with pytest.raises(FrozenInstanceError):
        course.weeks = 12
    with pytest.raises(TypeError):
        course.students["s001"].features["NumberOfSessions", 2] = 5.0


@pytest.mark.parametrize("name", ["mini", "MINI", "mini_001", "Mini-001", "the small one", "mini course"])
def test_a_course_is_found_by_id_title_or_alias(mini: Path, name: str) -> None:
    assert find(name, mini.parent).id == "mini"


def test_an_unknown_course_is_refused_with_those_there_are(mini: Path) -> None:
    with pytest.raises(BundleError, match=r"no course is called 'minnie'; did you mean mini\? there are: mini"):
        find("minnie", mini.parent)


def test_an_alias_of_two_courses_is_refused_but_an_id_is_not(mini: Path) -> None:
    other = mini.parent / "other"
    other.mkdir()
    (other / "course.toml").write_text('aliases = ["mini", "the small one"]')
    assert list_courses(mini.parent) == ("mini", "other")
    assert find("mini", mini.parent).id == "mini"
    with pytest.raises(BundleError, match="any of the courses mini, other"):
        find("the small one", mini.parent)


def test_a_broken_course_says_what_is_wrong_when_it_is_asked_for(mini: Path) -> None:
    (mini / "course.toml").write_text("id = ")
    with pytest.raises(BrokenBundle, match=r"course\.toml: is not valid TOML"):
        find("mini", mini.parent)


def test_the_first_course_has_no_fault() -> None:
    assert "dsp" in list_courses()
    assert check(COURSES / "dsp") == []
