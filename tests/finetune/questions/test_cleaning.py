"""What is left out of a file of questions, and for which reason."""

from dataclasses import replace

import pytest

from finetune.questions.cleaning import ALIKE, LONG, MEANING, OFTEN, SAME, SHORT, Bounds, clean, plain
from finetune.questions.row import Row
from scribe.trajectory import Exchange
from tests.tools.small_course import ScriptedEmbedder

WORDS = Bounds(3, 12, 90.0, 0.0, 20)


def row(text: str, number: int = 0, student: str = "s001") -> Row:
    return Row(f"{student}-{number}", "dsp", student, "nr", text, "where", "offline")


def reasons(*texts: str, bounds: Bounds = WORDS) -> list[str]:
    """Of the questions of one student, why each was dropped."""
    _, dropped = clean([row(text, number) for number, text in enumerate(texts)], bounds, ScriptedEmbedder())
    return [each.reason for each in dropped]


def test_questions_outside_the_real_ones_lengths_go() -> None:
    texts = ("grade now", "what is my grade now", "grade " * 13)
    assert reasons(*texts) == [SHORT, LONG]
    assert reasons("one two three", "a b c d e f g h i j k l") == []


def test_the_same_typed_otherwise_goes_and_names_the_one_that_stays() -> None:
    kept, dropped = clean(
        [row("What went wrong in week 3?", 1), row("what went wrong in week 3", 2)], WORDS, ScriptedEmbedder()
    )
    assert [each.id for each in kept] == ["s001-1"]
    assert [(each.row.id, each.reason, each.of) for each in dropped] == [("s001-2", SAME, "s001-1")]


def test_nearly_the_same_words_go() -> None:
    assert reasons("what exactly went wrong in week 3", "what exacty went wrong in week 3") == [ALIKE]


@pytest.mark.parametrize("other", ["what exactly went wrong in week 4", "how do i prepare for week 3 then"])
def test_another_number_or_other_words_make_another_question(other: str) -> None:
    assert reasons("what exactly went wrong in week 3", other) == []


def test_other_students_may_ask_the_same_but_not_too_often() -> None:
    rows = [row("what went wrong in week 3", number, f"s{number:03d}") for number in range(5)]
    kept, dropped = clean(rows, replace(WORDS, repeats=3), ScriptedEmbedder())
    assert len(kept) == 3 and [each.reason for each in dropped] == [OFTEN] * 2


def test_the_same_words_after_another_answer_are_another_question() -> None:
    after = [replace(row("and what about week 3", n), history=(Exchange("q", a),)) for n, a in enumerate("abb")]
    kept, dropped = clean(after, WORDS, ScriptedEmbedder())
    assert [each.id for each in kept] == ["s001-0", "s001-1"] and [each.reason for each in dropped] == [SAME]


def test_the_same_meaning_goes_where_meanings_are_compared() -> None:
    texts = ("sampling theorem explained simply please", "please simply explained: theorem, sampling")
    assert reasons(*texts) == []
    assert reasons(*texts, bounds=replace(WORDS, meaning=0.97)) == [MEANING]


def test_typing_is_no_difference() -> None:
    assert plain("What's UP,  Doc?!") == plain("what s up doc")
