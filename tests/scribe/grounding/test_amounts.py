"""Amounts are read as people write them, in both languages."""

import pytest

from scribe.grounding.amounts import read_amounts
from scribe.grounding.words import fold


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("39 minutes", [(39.0, "minutes")]),
        ("about half an hour", [(30.0, "minutes")]),
        ("a good hour and forty minutes", [(100.0, "minutes")]),
        ("26 hours early", [(1560.0, "minutes")]),
        ("soixante-dix clics", [(70.0, "clicks")]),
        ("quatre-vingt-dix pour cent", [(90.0, "percent")]),
        ("two thirds", [(200 / 3, "percent")]),
        ("1 240 clics", [(1240.0, "clicks")]),
        ("1.2 thousand clicks", [(1200.0, "clicks")]),
        ("37,5 points", [(37.5, "points")]),
        ("three times as often", []),
        ("1. first\n2. second", []),
    ],
)
def test_an_amount_has_a_value_and_a_unit(text: str, read: list[tuple[float, str]]) -> None:
    found = read_amounts(fold(text))
    assert [each.unit for each in found] == [unit for _, unit in read]
    assert [each.value for each in found] == pytest.approx([value for value, _ in read])


def test_points_of_a_whole_keep_it() -> None:
    (found,) = read_amounts(fold("17.5 of its 40 points"))
    assert (found.value, found.of) == (17.5, 40.0)


@pytest.mark.parametrize(
    ("said", "value", "fits"), [("about 70 %", 68.6, True), ("70 %", 68.6, False), ("69 %", 68.6, True)]
)
def test_a_rounding_needs_a_word_that_says_so(said: str, value: float, fits: bool) -> None:
    (found,) = read_amounts(fold(said))
    assert found.fits(value, "percent") is fits
