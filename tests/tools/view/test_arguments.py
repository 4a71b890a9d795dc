"""Arguments that tools share: what is taken, and what a refusal says."""

import pytest

from scribe.tool import Refusal
from tests.tools.small_course import course_with, student
from tools.view.arguments import LONGEST_QUERY, clean_query, find_week, no_data, week_bounds


def test_the_bounds_of_weeks_are_the_courses() -> None:
    assert week_bounds(course_with(student())).json_schema_extra == {"minimum": 1, "maximum": 4}


def test_a_week_is_found_by_its_number() -> None:
    assert find_week(course_with(student()), 3).title == "Transforms"


@pytest.mark.parametrize("week", [-1, 0, 5, 10**9])
def test_a_week_that_there_is_not_is_refused_with_those_there_are(week: int) -> None:
    with pytest.raises(Refusal, match=f"There is no week {week}") as refused:
        find_week(course_with(student()), week)
    assert refused.value.hints == {"weeks": "1 to 4"}


@pytest.mark.parametrize(
    ("text", "said"),
    [("  the\n DFT\t?", "the DFT ?"), ("é", "é"), ("7", "7"), ("什么", "什么"), ("x" * 999, "x" * LONGEST_QUERY)],
)
def test_a_query_is_one_line_of_a_sensible_length(text: str, said: str) -> None:
    assert clean_query(text) == said


@pytest.mark.parametrize("text", ["", " \n", "?!…", "🦆", " " * 999 + "?"])
def test_a_query_without_a_letter_or_digit_is_refused_by_its_name(text: str) -> None:
    with pytest.raises(Refusal, match="The argument feature is empty"):
        clean_query(text, "feature")


def test_no_data_says_first_what_is_missing() -> None:
    assert list(no_data("Nothing.", closest=["a"]).items()) == [("no_data", "Nothing."), ("closest", ["a"])]
