"""Two questions asked at once are told apart; one question is never torn."""

import tomllib
from pathlib import Path

import pytest

from tools.reading.parts import parts

_QUESTIONS = tomllib.loads(Path(__file__).with_name("questions_in_parts.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("question", "first", "second"), _QUESTIONS["two"])
def test_two_questions_are_told_apart(question: str, first: str, second: str) -> None:
    assert parts(question) == (first, second)


@pytest.mark.parametrize("question", _QUESTIONS["one"] + _QUESTIONS["counted"])
def test_one_question_stays_whole(question: str) -> None:
    assert parts(question) == (question,)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("hw do i start n is there a plan for it", ("hw do i start", "is there a plan for it")),
        ("what is due, and, if possible, how many points is it", ("what is due", "how many points is it")),
        ("I was ill. What did I miss and am I late?", ("I was ill. What did I miss", "am I late?")),
        ("C’est quoi l’aliasing ? Et j’en suis où ?", ("C’est quoi l’aliasing ?", "j’en suis où ?")),
    ],
)
def test_a_part_is_what_was_typed_without_the_joining_word(question: str, told: tuple[str, str]) -> None:
    assert parts(question) == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("which book fits weeks 10 & 11?", ("which book fits week 10?", "which book fits week 11?")),
        ("what are weeks 5 and 6 about", ("what is week 5 about", "what is week 6 about")),
        ("my mark was 6. how was week 3 and 4?", ("my mark was 6. how was week 3?", "my mark was 6. how was week 4?")),
        ("how did i do in w3 and w4", ("how did i do in w3", "how did i do in w4")),
        ("on voit quoi la semaine 3 et la 4", ("on voit quoi la semaine 3", "on voit quoi la semaine 4")),
        ("que faire des semaines 2 et 5 ?", ("que faire de la semaine 2 ?", "que faire de la semaine 5 ?")),
    ],
)
def test_a_question_about_two_weeks_becomes_one_about_each(question: str, told: tuple[str, str]) -> None:
    assert parts(question) == told


def test_of_three_questions_nothing_is_lost() -> None:
    asked = "what is aliasing and how many points do i have and when is the exam"
    assert parts(asked) == ("what is aliasing", "how many points do i have and when is the exam")


def test_no_question_is_no_error() -> None:
    assert parts("") == ("",) and parts("and") == ("and",)
