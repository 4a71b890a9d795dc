"""A question as a task: the report, the line on the course, the language to answer in."""

from dataclasses import replace

import pytest

from data.bundle import find
from data.course import BundleError, Course, Student
from scribe.trajectory import Exchange
from tests.tools.small_course import course_with, student
from tools.conversation.task import LANGUAGES, THEORIES, describe_course, make_task

REPORTS = {"nr": "What matters.", "con": "What made the difference."}


@pytest.fixture
def asking() -> Student:
    return replace(student(), reports=REPORTS)


@pytest.fixture
def course(asking: Student) -> Course:
    return course_with(asking)


def test_a_task_holds_the_question_as_it_was_asked_and_the_report_of_its_kind(course: Course) -> None:
    history = (Exchange("And before?", "So it was."),)
    made = make_task(course, "s1", "whats up with week 2?!", "con", history)
    assert (made.course, made.student, made.question) == ("sig", "s1", "whats up with week 2?!")
    assert (made.report, made.theory, made.history) == (REPORTS["con"], "con", history)
    assert (made.about, made.language) == (describe_course(course), "English")


def test_a_kind_of_report_that_the_student_has_not_is_refused_with_those_there_are(course: Course) -> None:
    with pytest.raises(BundleError, match="no report of the theory 'ac'; there are: nr, con"):
        make_task(course, "s1", "why?", "ac")
    with pytest.raises(BundleError, match="there are: none"):
        make_task(course, "c0", "why?")


@pytest.mark.parametrize(
    ("done", "weeks", "told"),
    [
        (2, 4, "weeks 1 to 2 are over and week 3 comes next."),
        (1, 4, "week 1 is over and week 2 comes next."),
        (4, 4, "weeks 1 to 4 are over."),
    ],
)
def test_the_line_on_the_course_says_which_weeks_there_are_and_which_are_over(
    course: Course, done: int, weeks: int, told: str
) -> None:
    said = describe_course(replace(course, weeks_done=done, weeks=weeks))
    assert said == f"Signals in Short (sig) has weeks 1 to {weeks}; {told}"


def test_a_french_course_is_answered_in_the_language_of_the_question(course: Course) -> None:
    french = replace(course, language="fr")
    asked = {"pourquoi la semaine 2 ?": "French", "why was week 2 so bad?": "English", "DFT ?": "French"}
    assert {question: make_task(french, "s1", question).language for question in asked} == asked
    assert make_task(french, "s1", "DFT ?", history=(Exchange("why was it so bad?", "So."),)).language == "English"
    assert set(asked.values()) == set(LANGUAGES.values())


def test_every_demo_student_has_reports_of_the_known_kinds_only() -> None:
    assert {theory for each in find("geo").students.values() for theory in each.reports} == set(THEORIES)
