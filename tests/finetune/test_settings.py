"""A section of a pipeline's file as its step's settings."""

import pytest

from finetune.settings import ExampleSettings, FilterSettings, parse_section
from scribe.errors import UsageError


def test_a_section_is_read_with_its_types() -> None:
    given = {"max_length": 300, "criteria": ["relevance"]}
    assert parse_section(FilterSettings, given, "filter") == FilterSettings(max_length=300, criteria=("relevance",))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"lenght": 4}, r"\[examples\] has no 'lenght'; it may have: max_length, courses"),
        ({"max_length": "many"}, r"\[examples\] max_length: "),
        ({"max_length": 3}, r"\[examples\] max_length: "),
    ],
)
def test_settings_that_cannot_be_are_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_section(ExampleSettings, table, "examples")
