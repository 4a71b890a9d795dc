"""Points so far, what is missing, what is still possible."""

import pytest

from data.course import Grade
from tests.tools.conftest import Ask
from tests.tools.small_course import course_with, grades, student


def test_points_and_needs_add_up(ask: Ask) -> None:
    assert ask("grade_calculator", student(marks=grades(7, 4, 15, 10))) == {
        "earned": "36 percent",  # 7 + 4 + 15 + 10 of 10 + 10 + 20 + 20
        "graded_so_far": "60 percent",
        "still_open": "40 percent",
        "pass_mark": "60 percent",
        "status": "pass still possible",
        "missing": "24 percent",
        "average_needed_in_open_work": "60 percent",
        "points": {
            "Quizzes of week 1": "7 of 10",
            "Quizzes of week 2": "4 of 10",
            "Homework of week 1": "15 of 20",
            "Homework of week 2": "10 of 20",
        },
        "to_come": {"final": "40 percent"},
    }


def test_work_not_handed_in_counts_as_zero_once_points_are_out(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(10, None, 20, None)))
    assert (told["earned"], told["graded_so_far"]) == ("30 percent", "60 percent")
    assert told["not_handed_in"] == ["Quizzes of week 2", "Homework of week 2"]
    assert told["average_needed_in_open_work"] == "75 percent"
    assert list(told["points"]) == ["Quizzes of week 1", "Homework of week 1"]


def test_work_nobody_has_points_for_is_still_open(ask: Ask) -> None:
    who = student(marks=grades(10, None, 20, None))
    told = ask("grade_calculator", who, course_with(who, others=()))
    assert told["still_open"] == "70 percent" and "not_handed_in" not in told
    assert told["to_come"] == {"quiz": "10 percent", "homework": "20 percent", "final": "40 percent"}


def test_the_needed_average_is_rounded_up(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10.5)))
    assert told["average_needed_in_open_work"] == "59 percent"  # 23.5 of 40 is 58.75 percent


def test_what_is_missing_adds_up_with_what_is_shown_to_the_pass_mark(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10.5)))
    assert (told["earned"], told["missing"], told["pass_mark"]) == ("37 percent", "23 percent", "60 percent")  # 36.5
    assert told["points"]["Homework of week 2"] == "10.5 of 20"


@pytest.mark.parametrize(
    ("final", "status", "best"),
    [(60.0, "pass mark reached", None), (59.0, "pass mark out of reach", "59 percent")],
)
def test_it_is_said_in_words_when_all_is_decided(ask: Ask, final: float, status: str, best: str | None) -> None:
    told = ask("grade_calculator", student(marks=(*grades(5, 5, 13, 13), Grade("final", final, 100, 40))))
    assert (told["earned"], told["still_open"], told["to_come"]) == (f"{final:g} percent", "0 percent", {})
    assert (told["status"], told.get("best_possible")) == (status, best)
    assert "missing" not in told and "average_needed_in_open_work" not in told


def test_of_a_student_without_any_points_out_everything_is_to_come(ask: Ask) -> None:
    who = student()
    told = ask("grade_calculator", who, course_with(who, others=()))
    assert told["points"] == "nothing graded yet" and told["still_open"] == "100 percent"
    assert told["average_needed_in_open_work"] == told["pass_mark"]
