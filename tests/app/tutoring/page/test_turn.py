"""A dialogue as chat messages."""

from app.tutoring.page.texts import load_tutor_texts
from app.tutoring.page.turn import escape_markup, mark_names, show_turn
from scribe.tutor.session import StudentTurn, TutorTurn

SAY = load_tutor_texts("en")


def test_what_a_student_types_is_shown_as_typed() -> None:
    assert escape_markup("a*b*c __init__ <b> `x*y` [l](u)") == r"a\*b\*c \_\_init\_\_ \<b\> `x*y` \[l\](u)"
    assert escape_markup("```\na*b\n```") == "```\na*b\n```"


def test_a_tutors_dunder_is_a_name_and_bold_stays_bold() -> None:
    assert mark_names("Call __init__ and `__len__`, **now**.") == "Call `__init__` and `__len__`, **now**."


def test_it_is_said_what_went_with_a_message() -> None:
    assert SAY["with_results"] in show_turn(StudentTurn("Here", "x = 1", "test_a: passed"), SAY)["content"]
    assert SAY["with_code"] in show_turn(StudentTurn("Here", "x = 1"), SAY)["content"]
    assert show_turn(StudentTurn("Here"), SAY) == {"role": "user", "content": "Here"}
    assert SAY["speechless"] in show_turn(TutorTurn(""), SAY)["content"]
