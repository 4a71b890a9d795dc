"""Points so far, what is missing, what is still possible."""

import pytest

from data.course import Grade
from tests.tools.conftest import Ask
from tests.tools.small_course import course_with, grades, student


def test_points_and_needs_add_up(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10)))
    assert told == {
        # 7 + 4 + 15 + 10 of 10 + 10 + 20 + 20
        "so_far": "So far you have 36 of 60 percent, and the pass mark is 60 percent.",
        "verdict": "You have not passed yet, but you still can.",
        "needed": "You still need 24 percent, and 40 percent are open: that is 60 percent of what is left.",
        "parts": ["quiz: 11 of 20 percent", "homework: 25 of 40 percent", "final: still open"],
        "weakest": "Your weakest part was Quizzes of week 2 (4 of 10 points), so review that first.",
    }


def test_work_not_handed_in_counts_as_zero_once_points_are_out(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(10, None, 20, None)))
    assert told["so_far"].startswith("So far you have 30 of 60 percent,")
    assert told["not_handed_in"] == "quiz-2 and homework-2"
    assert told["needed"].endswith("that is 75 percent of what is left.")


def test_work_nobody_has_points_for_is_still_open(ask: Ask) -> None:
    who = student(marks=grades(10, None, 20, None))
    alone = course_with(who, others=())
    assert "and 70 percent are open" in ask("grade_calculator", who, alone)["needed"]


def test_the_needed_average_is_rounded_up(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10.5)))
    assert told["needed"].endswith("that is 59 percent of what is left.")  # 23.5 of 40 is 58.75 percent


def test_what_is_missing_adds_up_with_what_is_shown_to_the_pass_mark(ask: Ask) -> None:
    told = ask("grade_calculator", student(marks=grades(7, 4, 15, 10.5)))
    assert told["so_far"].startswith("So far you have 37 of")  # 36.5, so 23.5 are missing
    assert told["needed"].startswith("You still need 23 percent,")


@pytest.mark.parametrize(
    ("final", "so_far", "verdict"),
    [
        (60.0, "60 of 100 percent", "You have already passed."),
        (59.0, "59 of 100 percent", "You cannot pass any more: full marks on the rest give 59 percent."),
    ],
)
def test_it_is_said_in_words_when_all_is_decided(ask: Ask, final: float, so_far: str, verdict: str) -> None:
    told = ask("grade_calculator", student(marks=(*grades(5, 5, 13, 13), Grade("final", final, 100, 40))))
    assert so_far in told["so_far"]
    assert told["verdict"] == verdict
    assert "needed" not in told


def test_a_student_without_any_points_out_gets_no_data(ask: Ask) -> None:
    who = student()
    assert ask("grade_calculator", who, course_with(who, others=()))["no_data"]
