"""Where the marks so far and the outlook disagree, a report says both, with the numbers of the grade calculator."""

import dataclasses

import pytest

from data.bundle_cohort import THEORIES
from data.course import Course, Grade, GradedItem, Outcome, Student
from data.reports.compose import write_report
from data.reports.llm import write_by_llm
from tests.data.reports.anns_report import ANN, REPORT, anns_class, find_faults
from tests.data.reports.test_llm import ScriptedModel

ITEMS = (GradedItem("midterm", "Midterm", 40, 4, 40), GradedItem("final", "Final", 60, 11, 100))
STATUS = "You are not on track yet, and there is still time to change that."


def marked(points: float, predicted: Outcome = "fail") -> tuple[Course, Student]:
    """Ann and her class, where the midterm is worth 40 percent and the pass mark is 60."""
    course = dataclasses.replace(anns_class(), grading=ITEMS, pass_mark=60)
    ann = dataclasses.replace(ANN, grades=(Grade("midterm", points, 40, 40),), predicted=predicted)
    if predicted == "pass":  # an explanation that fits
        ann = dataclasses.replace(ann, importances=(), sufficient=())
    return dataclasses.replace(course, students={**course.students, "ann": ann}), ann


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize(
    ("points", "predicted", "said"),
    [
        (30, "fail", "keep pace"),
        (24, "fail", "keep pace"),
        (20, "pass", "below the pace"),
        (20, "fail", None),
        (30, "pass", None),
    ],
)
def test_marks_are_told_where_they_disagree_with_the_outlook(
    points: float, predicted: Outcome, said: str | None, theory: str
) -> None:
    course, ann = marked(points, predicted)
    text = write_report(course, ann, theory)
    opening = text.split("\n\n")[0]
    assert find_faults(text, ann, course) == []
    if said is None:
        assert "percent" not in opening
    else:
        assert said in opening and f"{points:g} of 40 percent" in opening and "60 percent" in opening
        assert "does not lead there" not in opening


def test_a_letter_that_gives_one_side_only_is_refused() -> None:
    course, ann = marked(30)
    (fault,) = find_faults(REPORT, ann, course)
    assert "30 of 40 percent, keep pace with the pass mark of 60 percent and disagree" in fault


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        ("Your marks so far, 30 of 40 percent, keep pace with the pass mark of 60 percent, but I have my doubts.", ""),
        ("Your marks so far, 31 of 40 percent, keep pace with the pass mark of 60 percent.", "40 percent, not 31"),
        ("Your marks so far, 30 of 40 percent, keep pace with the pass mark of 50 percent.", "mark is 60 percent, not"),
        ("Your marks so far, 30 of 40 percent, are below the pace for the pass mark of 60 percent.", "far keep pace"),
        ("Your marks so far, 30 of 40 percent, are fine.", "say of the marks"),
        ("Your marks so far, 30 of 40 percent, keep pace, and 12 of them are from homework.", "a number beside"),
    ],
)
def test_what_is_said_of_marks_is_held_against_them(status: str, complaint: str) -> None:
    course, ann = marked(30)
    faults = find_faults(REPORT.replace(STATUS, status), ann, course)
    assert any(complaint in fault for fault in faults) if complaint else faults == []


def test_marks_too_close_to_call_are_no_disagreement() -> None:
    course, ann = marked(23.6)  # 59 percent, told as 24 of 40, which is 60
    assert "percent" not in write_report(course, ann, "nr").split("\n\n")[0]


def test_a_language_model_is_told_of_the_disagreement() -> None:
    course, ann = marked(30)
    model = ScriptedModel("My analysis.", REPORT.replace(STATUS, "Marks."))
    with pytest.raises(IndexError):
        write_by_llm(model, course, ann, "nr")
    assert "The marks so far, 30 of 40 percent, keep pace with the pass mark of 60" in model.heard[0][0].content
