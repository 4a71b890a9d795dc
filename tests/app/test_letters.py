"""Reports through a model: what it writes is used only if it is true."""

import pytest

from app.commands.courses import READY, write_by_llm
from data import bundle
from data.course import Course, Student
from data.reports.compose import write_report
from scribe.plumbing.errors import BackendError
from tests.scribe.scripted import ScriptedBackend


@pytest.fixture(scope="module")
def course() -> Course:
    return bundle.load(bundle.COURSES / "dsp")


@pytest.fixture
def student(course: Course) -> Student:
    return next(student for student in course.students.values() if student.explained)


def test_a_letter_that_agrees_with_the_data_is_used(course: Course, student: Student) -> None:
    good = write_report(course, student, "nr")
    model = ScriptedBackend(["yes", "The sessions.", f"{good}\nYou had 977 study sessions in week 2.\n", good])
    text, source = write_by_llm(model, seed=3)(course, student, "nr")
    assert (text, source) == (good, "llm")
    asked, selection, presentation, revision = model.prompts
    assert [turn.content for turn in asked] == [READY]
    assert [turn.role for turn in revision] == ["user", "assistant", "user", "assistant", "user"]
    assert presentation[1].content == "The sessions."
    assert selection[0].content == presentation[0].content
    assert "977" in revision[-1].content


def test_a_model_that_stays_wrong_is_not_used(course: Course, student: Student) -> None:
    model = ScriptedBackend(["yes", "Hm.", *["You had 977 study sessions in week 2."] * 4])
    text, source = write_by_llm(model, seed=3)(course, student, "con")
    assert (text, source) == (write_report(course, student, "con"), "composed")


def test_a_model_that_cannot_be_reached_is_found_out_at_once() -> None:
    with pytest.raises(BackendError):
        write_by_llm(ScriptedBackend([]), seed=3)
