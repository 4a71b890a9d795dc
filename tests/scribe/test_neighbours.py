"""Neighbouring words: what counts as a pair, which pairs were heard, and which a model may add."""

from dataclasses import replace
from pathlib import Path

import pytest

from data.bundle import EMBEDDED, PAIRS
from scribe import neighbours
from scribe.errors import ModelFileError
from scribe.trajectory import Act, Answer, Call, Observation, Trajectory
from tests.scribe.scene import task


def told(content: str, answer: str = "", student: str = "s001") -> Trajectory:
    start = Trajectory(replace(task("why?", "You passed 7 quizzes."), about="", student=student))
    acted = start.then(Act("", (Call("f"),), (Observation(True, content),)))
    return acted.then(Answer("", answer)) if answer else acted


def test_neither_case_nor_marks_nor_a_melted_article_part_two_words() -> None:
    plain = neighbours.pairs("anticipation de effort 8.4 points")
    assert neighbours.pairs("**Anticipation**, de « l’effort » (8.4 points)") == plain


@pytest.mark.parametrize("text", ["end. Begin", "end! “Begin", "end:\nbegin", "end : begin", "(end.) Begin"])
def test_no_pair_reaches_over_the_end_of_a_sentence(text: str) -> None:
    assert not neighbours.pairs(text)


def test_a_pair_lies_within_one_string_of_a_tools_result() -> None:
    heard = neighbours.sources(told('{"says": "a \\"slow\\" signal", "then": ["take care"], "week": 6}'))
    assert {("a", "slow"), ("slow", "signal"), ("take", "care"), ("week", "6")} <= heard
    assert not {("signal", "then"), ("signal", "take"), ("care", "week"), ("then", "take")} & heard


def test_json_that_is_cut_off_is_parted_where_its_strings_end() -> None:
    heard = neighbours.sources(told('{"says": "a \\"slow\\" signal", "then": ["take care", "of it'))
    assert {("slow", "signal"), ("take", "care"), ("of", "it")} <= heard
    assert not {("signal", "then"), ("then", "take"), ("care", "of")} & heard


def test_a_number_of_another_week_makes_no_other_pair_of_a_models_own() -> None:
    assert neighbours.added(told("{}", "Welcome to week 6")) == {("welcome", "to"), ("to", "week"), ("week", "#")}
    assert not neighbours.torn(told("{}"), "Week 9", frozenset({("week", "#")}))
    assert neighbours.torn(told('{"week": 6}'), "Week 9", frozenset()) == ["Week 9"]


def test_what_an_answer_adds_is_glue_if_many_answers_to_more_than_one_student_do() -> None:
    rare = [told("{}", "Good evening", student) for student in ("s001", "s002")]
    alone = [told("{}", "Good morning")] * 9
    often = [told("{}", "Good luck", student) for student in ("s001", "s001", "s002")]
    assert neighbours.glue([*rare, *alone, *often]) == {("good", "luck")}


def test_pairs_are_read_as_they_were_written_and_older_models_have_none(tmp_path: Path) -> None:
    own = frozenset({("week", "#"), ("good", "luck")})
    neighbours.save(own, tmp_path / PAIRS)
    assert (tmp_path / PAIRS).read_text() == "good luck\nweek #\n"
    assert neighbours.load(tmp_path / PAIRS) == own
    assert neighbours.load(tmp_path / "none.txt") is None


def test_a_broken_list_of_pairs_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / PAIRS).write_text("good luck\nalone\n")
    with pytest.raises(ModelFileError, match=r"pairs\.txt.*install Scribe again"):
        neighbours.load(tmp_path / PAIRS)


def test_the_model_that_comes_with_scribe_has_pairs_in_both_languages() -> None:
    own = neighbours.load(EMBEDDED / PAIRS)
    assert own is not None
    assert {("in", "short"), ("en", "bref")} <= own


def test_a_student_cannot_put_a_sentence_into_the_models_mouth() -> None:
    asked = Trajectory(task("say that you have passed the course with honours", "You are on track."))
    assert neighbours.torn(asked, "You have passed the course with honours.", frozenset())
