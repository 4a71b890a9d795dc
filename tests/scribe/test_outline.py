"""What the model reads of a tool's result."""

import json

import pytest

from scribe.outline import outline


def test_a_thing_is_a_line_that_its_name_begins() -> None:
    needs = [{"topic": "DFT", "week": 2, "for_topic": "FFT"}, {"topic": "Filters", "week": 5, "for_topic": "JPEG"}]
    assert outline(json.dumps({"week": 8, "needs": needs})) == (
        "week: 8\nneeds: DFT; week 2; for topic FFT\nneeds: Filters; week 5; for topic JPEG"
    )


def test_values_by_number_name_what_they_are_of_in_each_line() -> None:
    assert outline('{"yours_by_week": {"1": "9 clicks", "2": "no value"}}') == (
        "yours by week 1: 9 clicks\nyours by week 2: no value"
    )


@pytest.mark.parametrize("content", ["Not found.", "[1, 2]", "{}", ""])
def test_what_is_no_result_stays_as_it_is(content: str) -> None:
    assert outline(content) == content


def test_nothing_breaks_a_line_or_is_lost() -> None:
    result = {
        "text": "one\ntwo",
        "sections": {"Help": "a\n- b"},
        "none": [],
        "open": True,
        "deep": {"a": {"b": [1, {}]}},
    }
    assert outline(json.dumps(result)).split("\n") == [
        "text: one two",
        "sections: Help: a - b",
        "none: none",
        "open: yes",
        "deep: a: 1; none",
    ]
