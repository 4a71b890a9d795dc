"""Points so far, what is missing, what is still possible."""

import pytest

from data.course import Grade
from tests.tools.conftest import Ask
from tests.tools.small_course import course_with, grades, student


def test_points_and_needs_add_up(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10)))
    assert told == {
        "so_far": "36 of 60 percent",  # 7 + 4 + 15 + 10 of 10 + 10 + 20 + 20
        "pass_mark": "60 percent",
        "missing": "24 percent",
        "still_open": "40 percent",
        "needed_average": "60 percent of what is left",
        "verdict": "You have not passed yet, but you still can.",
        "parts": ["quiz: 11 of 20 percent", "homework: 25 of 40 percent", "final: still open"],
        "weakest": "Quizzes of week 2 (4 of 10 points)",
    }


def test_work_not_handed_in_counts_as_zero_once_points_are_out(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(10, None, 20, None)))
    assert told["so_far"] == "30 of 60 percent"
    assert told["not_handed_in"] == "quiz-2 and homework-2"
    assert told["needed_average"] == "75 percent of what is left"


def test_work_nobody_has_points_for_is_still_open(ask: Ask) -> None:
    who = student(marks=grades(10, None, 20, None))
    alone = course_with(who, others=())
    assert ask("grade_calculator", who, alone)["still_open"] == "70 percent"


def test_the_needed_average_is_rounded_up(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10.5)))
    assert told["needed_average"] == "59 percent of what is left"  # 23.5 of 40 is 58.75 percent


@pytest.mark.parametrize(
    ("final", "verdict", "missing"),
    [
        (60.0, "You have already passed.", "0 percent"),
        (59.0, "You cannot pass any more: full marks on the rest give 59 percent.", "1 percent"),
    ],
)
def test_it_is_said_in_words_when_all_is_decided(ask: Ask, final: float, verdict: str, missing: str) -> None:
    told = ask("grade_calculator", student(marks=(*grades(5, 5, 13, 13), Grade("final", final, 100, 40))))
    assert (told["verdict"], told["missing"]) == (verdict, missing)
    assert "needed_average" not in told


def test_a_student_without_any_points_out_gets_no_data(ask: Ask) -> None:
    who = student()
    assert ask("grade_calculator", who, course_with(who, others=()))["no_data"]
