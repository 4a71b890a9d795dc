"""What tools say in English courses is what they said before they spoke French, to the letter."""

import json

import pytest

from tests.tools.english_outputs import COURSES, KEPT, outputs


@pytest.mark.parametrize("course", COURSES)
def test_english_courses_are_told_the_same_as_ever(course: str) -> None:
    kept, told = json.loads(KEPT.read_text(encoding="utf-8"))[course], outputs(course)
    assert len(kept) > 200
    assert {key: told.get(key) for key in kept} == kept
