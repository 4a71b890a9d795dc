"""Searching with the student's own words where the model's query went astray, and only there."""

from pathlib import Path

import pytest

from tests.tools.asking import told, vault
from tests.tools.small_course import course_with, student
from tools import exercise_search, textbook_search
from tools.search.own_words import gist

COURSE = course_with(student())


@pytest.mark.parametrize("query", ["imumy", "urbanisation", "DF"])
def test_a_garbled_query_gives_way_to_the_question(tmp_path: Path, query: str) -> None:
    tool = textbook_search.make(COURSE, vault(tmp_path))
    assert "section 4.1 Convolution" in told(tool, "What is convolution?", query=query)["where"]
    assert "no_data" in told(tool, "", query=query)


@pytest.mark.parametrize("asked", ["And what does that one build on?", "I did not get the DFS.", "Any example?"])
def test_a_topic_of_the_course_is_kept_whatever_was_asked(tmp_path: Path, asked: str) -> None:
    tool = textbook_search.make(COURSE, vault(tmp_path))
    assert "section 4.1 Convolution" in told(tool, asked, query="convolution")["where"]


def test_a_query_that_finds_nothing_gives_way_to_a_question_that_names_a_topic(tmp_path: Path) -> None:
    tool = textbook_search.make(COURSE, vault(tmp_path))
    said = told(tool, "My friend talks about carnival and convolution", query="carnival in Venice")
    assert "section 4.1 Convolution" in said["where"]


def test_what_neither_finds_is_said_in_the_words_of_the_student(tmp_path: Path) -> None:
    said = told(textbook_search.make(COURSE, vault(tmp_path)), "who won the world cup", query="zzqx")
    assert said["no_data"] == "The textbook has no section on world cup."


def test_a_number_of_the_student_is_not_repeated(tmp_path: Path) -> None:
    said = told(textbook_search.make(COURSE, vault(tmp_path)), "who won 85 world cups, 90%?", query="zzqx")
    assert said["no_data"] == "The textbook has no section on world cups."


def test_a_question_that_leans_on_the_one_before_replaces_nothing(tmp_path: Path) -> None:
    said = told(textbook_search.make(COURSE, vault(tmp_path)), "and what about that?", query="zzqx")
    assert said["no_data"] == "The textbook has no section on zzqx."


def test_exercises_are_looked_for_with_the_words_or_the_week_of_the_question(tmp_path: Path) -> None:
    tool = exercise_search.make(COURSE, vault(tmp_path))
    assert told(tool, "any exercises on convolution?", query="imumy")["start"] == "Start with x-04-01."
    assert told(tool, "exercises of week 3 please", query="imumy")["start"] == "Start with x-03-01."
    assert "no_data" in told(tool, "", query="imumy")


@pytest.mark.parametrize(
    ("asked", "language", "words"),
    [
        ("Could you explain the Karplus-Strong algorithm to me, please?", "en", "Karplus Strong algorithm"),
        ("À quoi sert la transformée de Fourier ?", "fr", "transformée de Fourier"),
        ("what is leveling used for", "fr", "leveling"),
        ("et ensuite ?", "fr", ""),
        ("does 12.5 % zither 40pct 2x3 count", "en", "zither count"),
    ],
)
def test_of_a_question_its_telling_words_are_kept_as_written(asked: str, language: str, words: str) -> None:
    assert gist(asked, language) == words
