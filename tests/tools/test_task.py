"""What a prompt says of the course and of the question."""

import pytest
from tools.reading.naming import Naming

from data import bundle
from data.bundle import COURSES
from tools.task import hinted

DSP = Naming(bundle.load(COURSES / "dsp"))
"""A course of ten weeks."""


@pytest.mark.parametrize("question", ["why was week 14 bad?", "la semaine 14 ?", "weeks 3 and 14", "week 14, 3 h"])
def test_a_week_that_the_course_does_not_have_is_named(question: str) -> None:
    assert hinted("small talk", question, DSP).endswith(", about week 14, which this course does not have")
    assert hinted("", question, DSP) == ""  # where nothing is hinted at, this is not either


@pytest.mark.parametrize(
    "question",
    [
        "why was week 10 bad?",
        "I have 14 hours a week",
        "14 exercises in week 2",
        "I spent this week 12 hours on it",
        "last week 15 exercises, why so low?",
        "in one week 30 videos",
        "per week 20 h is too much",
        "I did last week 15 exos",
        "it's 12 am",
        "week 2024 or so",
        "la semaine passée 25 vidéos",
    ],
)
def test_nothing_is_said_of_weeks_that_there_are_or_of_what_is_counted(question: str) -> None:
    assert "does not have" not in hinted("small talk", question, DSP)


@pytest.mark.parametrize("question", ["what's in w14", "the 14th week", "la 14e semaine"])
def test_a_week_that_there_is_not_is_seen_however_it_is_written(question: str) -> None:
    assert ", about week 14," in hinted("what a week is about", question, DSP)


def test_what_a_question_names_stands_behind_what_it_asks() -> None:
    assert hinted("what a topic means", "aliasing?", DSP) == "what a topic means; here Aliasing"
    told = hinted("what a topic means", "weeks 3 and 14", DSP)
    assert told.startswith("what a topic means; here week 3, about week 14")
