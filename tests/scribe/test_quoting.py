"""The guard for a model that only quotes: it passes quotations, and stops inventions and circles."""

from dataclasses import replace
from pathlib import Path

import pytest

from scribe.errors import ModelFileError
from scribe.grounding import Grounding, Lexicon
from scribe.quoting import Quoting, added, load_words
from scribe.trajectory import Act, Answer, Call, Observation, Trajectory
from tests.scribe.scene import task

SAID = '{"says": "Aliasing happens when a signal is sampled too slowly.", "week": 6}'
GUARD = Quoting(Grounding(Lexicon()), frozenset({"welcome"}))
STRICT = replace(GUARD, pairs=frozenset({("welcome", "to"), ("to", "week")}))


def heard(answer: str = "") -> Trajectory:
    start = Trajectory(replace(task("what is aliasing?", "You passed 7 quizzes."), about="DSP has weeks 1 to 10."))
    acted = start.then(Act("", (Call("textbook_search"),), (Observation(True, SAID),)))
    return acted.then(Answer("", answer)) if answer else acted


def test_words_of_tools_report_question_and_its_own_pass() -> None:
    assert not GUARD(heard(), "Welcome! Aliasing happens when a signal is sampled too slowly. You passed 7 quizzes.")


def test_a_made_up_word_is_named() -> None:
    assert list(GUARD(heard(), "Aliasing happens when a guessesy is sampled.")) == ["“guessesy”"]


def test_what_the_other_check_finds_comes_first() -> None:
    assert list(GUARD(heard(), "A guessesy in week 9.")) == ["week 9"]


def test_a_circle_is_stopped_but_not_a_phrase_said_twice() -> None:
    phrase = "aliasing happens when a signal "
    assert not GUARD(heard(), phrase * 2)
    (complaint,) = GUARD(heard(), phrase * 4)
    assert complaint.endswith("said 4 times")


def test_words_that_an_answer_adds_are_those_no_source_holds() -> None:
    assert added(heard("Welcome, aliasing is in week 6.")) == {"welcome"}


def test_a_missing_list_of_words_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"words\.txt.*install Scribe again"):
        load_words(tmp_path / "words.txt")


def test_an_article_that_melts_into_a_french_word_makes_no_new_word() -> None:
    course = Trajectory(replace(task("alors ?", "Your report."), about="", language="French"))
    said = Observation(True, '{"says": "Cela relève de l\'anticipation. Il y a une irrégularité."}')
    acted = course.then(Act("", (Call("f"),), (said,)))
    assert not GUARD(acted, "Anticipation : l’irrégularité relève d'anticipation.")
    assert list(GUARD(acted, "Cela relève de l'invention.")) == ["“invention”"]


@pytest.mark.parametrize("leak", ['", "week": ', '"says": "', '"}'])
def test_what_belongs_to_a_tools_result_and_no_sentence_is_stopped(leak: str) -> None:
    (complaint,) = GUARD(heard(), f"Aliasing happens when a signal is sampled too slowly.{leak}6 when sampled")
    assert leak.strip() in complaint
    assert not GUARD(heard(), 'A signal is "sampled", "too slowly": so aliasing happens.')


def test_a_sentence_made_of_pieces_of_two_is_shown_where_it_is_torn() -> None:
    assert not GUARD(heard(), "You passed when a signal is sampled too slowly.")
    assert list(STRICT(heard(), "You passed when a signal is sampled too slowly.")) == ["“You passed when a”"]


def test_whole_sentences_may_stand_in_any_order_and_between_the_models_own() -> None:
    assert not STRICT(heard(), "Welcome to week 6! You passed 7 quizzes. Aliasing happens when a signal is sampled.")


def test_of_many_torn_places_only_the_first_are_shown() -> None:
    answer = "Slowly aliasing, sampled quizzes. Signal passed. Weeks when. Too is."
    assert list(STRICT(heard(), answer)) == ["“Slowly aliasing, sampled quizzes”", "“Signal passed”", "“Weeks when”"]


def test_a_word_from_nowhere_is_named_without_the_pairs_around_it() -> None:
    assert list(STRICT(heard(), "Aliasing happens when a guessesy is sampled.")) == ["“guessesy”"]
