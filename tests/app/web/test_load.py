"""The load of figure 5 talks as the page does."""

import pytest

from app.web.load import talk_at_once
from scribe.errors import UsageError
from tools.assembly.settings import AssistantSettings


def settings(**model: object) -> AssistantSettings:
    """A few tokens for each answer: what is said does not matter here."""
    return (
        AssistantSettings()
        .with_changes("model", threads=1, **model)
        .with_changes("answer", max_tokens=16, steps=1, faults=0)
    )


@pytest.mark.timeout(300)  # seconds of work, minutes where others work too
def test_two_students_talk_with_the_model_that_comes_with_scribe() -> None:
    load = talk_at_once(settings(parallel=2, keep_mb=64), 2, 2.0, lambda words: None)
    numbers = load.numbers()
    assert numbers["questions"] == sum(load.outcomes.values()) >= 2
    assert set(load.outcomes) <= {"answered", "unresolved"}
    assert load.trouble == ""
    assert numbers["first words of the answer"]["count"] == load.outcomes["answered"]
    assert numbers["first token of a turn"]["count"] >= numbers["questions"]
    assert numbers["between tokens"]["count"] > 10
    assert load.words.longest <= load.whole.longest
    assert load.samples[-1].kept > 0


def test_more_conversations_than_students_are_refused() -> None:
    with pytest.raises(UsageError, match="dsp has only 300 students"):
        talk_at_once(settings(), 301, 1.0, lambda words: None)
