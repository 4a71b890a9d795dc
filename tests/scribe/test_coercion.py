"""Arguments made valid where nothing is lost, and left alone where something would be."""

from typing import Any

import pytest

from scribe.tool import coerce

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"week": {"type": "integer"}, "query": {"type": "string"}, "late": {"type": "boolean"}},
    "required": ["query"],
}


@pytest.mark.parametrize(
    "said", ["5", "week 5", "Week 5", "W5", "week-5", "week_5", " 5 ", "semaine 5", "5th week", 5.0]
)
def test_a_week_in_words_is_its_number(said: object) -> None:
    arguments, repairs = coerce({"week": said}, SCHEMA)
    assert arguments == {"week": 5} and type(arguments["week"]) is int
    assert repairs == (f"week: {said!r} to 5",)


@pytest.mark.parametrize(
    "said", [5, "five", "weeks 3 to 5", "3-5", "5.5", 5.5, "", [5], {"week": 5}, "9" * 5000, float("nan")]
)
def test_what_is_right_or_not_certain_is_left_for_validation(said: object) -> None:
    arguments, repairs = coerce({"week": said}, SCHEMA)
    assert arguments["week"] is said and repairs == ()


def test_a_minus_before_a_number_stays() -> None:
    assert coerce({"week": "-5"}, SCHEMA)[0] == {"week": -5}


@pytest.mark.parametrize(("said", "text"), [(5, "5"), (2.5, "2.5"), (["DFT"], "DFT")])
def test_text_may_come_as_a_number_or_alone_in_a_list(said: object, text: str) -> None:
    assert coerce({"query": said}, SCHEMA) == ({"query": text}, (f"query: {said!r} to {text!r}",))


@pytest.mark.parametrize("said", [True, ["a", "b"], {"q": 1}])
def test_text_is_not_made_of_anything_else(said: object) -> None:
    assert coerce({"query": said}, SCHEMA) == ({"query": said}, ())


def test_null_means_left_out_unless_the_argument_is_required() -> None:
    assert coerce({"week": None, "query": None}, SCHEMA)[0] == {"query": None}


def test_only_what_may_be_ignored_is_dropped_and_that_is_counted() -> None:
    given = {"student": "s001", "query": "DFT", "colour": "red"}
    kept, repairs = coerce(given, SCHEMA, ("student", "query"))
    assert kept == {"query": "DFT", "colour": "red"}
    assert repairs == ("student dropped",)
    assert given["student"] == "s001"
