"""The written courses: readable without a problem, and complete enough to learn from."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.bundle_files import Location
from data.bundle_material import read_material
from data.course import Course
from tools.search.text import cut_explanation

FOLDER = Path(__file__).parents[2] / "data" / "courses"
NAMES = tuple(sorted(path.parent.name for path in FOLDER.glob("*/course.toml")))


@pytest.fixture(params=NAMES)
def course(request: pytest.FixtureRequest) -> Iterator[Course]:
    place = Location([])
    read = read_material(FOLDER / request.param, place)
    assert not place.problems
    assert read is not None
    yield read


def test_there_are_the_four_that_were_written() -> None:
    assert NAMES == ("dsp", "geo", "lnv", "va")


def test_there_is_enough_to_read_and_to_practise(course: Course) -> None:
    assert len(course.textbook) >= 30 and len(course.exercises) >= 70 and len(course.syllabus) >= 14
    assert all(len(section.text.split()) >= 120 for section in course.textbook)


def test_a_syllabus_in_another_language_is_there_in_english_with_the_same_numbers(course: Course) -> None:
    assert bool(course.syllabus_en) is (course.language != "en")
    for own, english in zip(course.syllabus, course.syllabus_en, strict=bool(course.syllabus_en)):
        told, translated = (sorted(re.findall(r"\d+", each.text.replace("18:00", "18"))) for each in (own, english))
        assert told == translated, english.title


def test_each_topic_has_a_section_and_an_exercise(course: Course) -> None:
    titles = {cut_explanation(section.title).casefold() for section in course.textbook}
    practised = {exercise.topic.casefold() for exercise in course.exercises}
    for topic in course.topics:
        assert topic.casefold() in titles and topic.casefold() in practised, topic


def test_each_later_week_builds_on_an_earlier_one(course: Course) -> None:
    taught = {topic.casefold(): week.number for week in course.plan for topic in week.topics}
    for week in course.plan[1:]:
        topics = {topic.casefold() for topic in week.topics}
        needs = [taught[edge.needs.casefold()] for edge in course.prerequisites if edge.topic.casefold() in topics]
        assert any(number < week.number for number in needs), week.number


def test_the_grade_adds_up(course: Course) -> None:
    assert sum(item.weight for item in course.grading) == pytest.approx(100)
