"""What a prompt says of the course and of the question."""

import pytest

from tools.task import hinted


@pytest.mark.parametrize("question", ["why was week 14 bad?", "la semaine 14 ?", "weeks 3 and 14", "week 14, 3 h"])
def test_a_week_that_the_course_does_not_have_is_named(question: str) -> None:
    assert hinted("small talk", question, 10) == "small talk, about week 14, which this course does not have"
    assert hinted("", question, 10) == ""  # where nothing is hinted at, this is not either


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
        "week 2024 or so",
        "la semaine passée 25 vidéos",
    ],
)
def test_nothing_is_said_of_weeks_that_there_are_or_of_what_is_counted(question: str) -> None:
    assert hinted("small talk", question, 10) == "small talk"
