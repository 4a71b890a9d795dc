"""A section of a pipeline's file as its step's settings."""

import pytest

from finetune.settings import (
    RENAMED,
    ExampleSettings,
    ExportSettings,
    FilterSettings,
    StageSettings,
    TrajectorySettings,
    parse_section,
)
from scribe.plumbing.errors import UsageError


def test_a_section_is_read_with_its_types() -> None:
    given = {"max_length": 300, "criteria": ["relevance"]}
    assert parse_section(FilterSettings, given, "filter") == FilterSettings(max_length=300, criteria=("relevance",))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"lenght": 4}, r"\[examples\] has no 'lenght'; it may have: max_length, courses"),
        ({"max_length": "many"}, r"\[examples\] max_length: "),
        ({"max_length": 3}, r"\[examples\] max_length: "),
        ({"longest": 400}, r"\[examples\] longest is now called max_length"),
    ],
)
def test_settings_that_cannot_be_are_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_section(ExampleSettings, table, "examples")


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_every_old_key_says_what_it_is_called_now(old: str) -> None:
    new = RENAMED[old]
    section = TrajectorySettings if new == "answers" else FilterSettings if new.endswith("length") else StageSettings
    with pytest.raises(UsageError, match=f"{old} is now called {new}$"):
        parse_section(section, {old: 1}, "section")


def test_a_key_that_a_section_never_had_is_not_called_renamed() -> None:
    with pytest.raises(UsageError, match=r"quantizations, dtype, parity_rows"):
        parse_section(ExportSettings, {"rows": 3}, "export")
