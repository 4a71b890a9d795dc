"""A tool that raises, hangs or returns a megabyte."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from app.web.texts import load_page_texts
from app.web.turn import ChatMessage, PendingAnswer
from scribe.agent import Agent
from scribe.tool import Identity, Tool, Toolbox
from scribe.trajectory import Task
from tests.app.told import call, final
from tests.scribe.scripted import ScriptedBackend, trusting

SAY = load_page_texts("en")


def look_up() -> dict[str, Any]:
    """Look it up."""
    raise ZeroDivisionError("s033 divided by 0")


def take_for_ever() -> dict[str, Any]:
    """Wait for what never comes."""
    threading.Event().wait()
    return {}


def tell_all() -> dict[str, Any]:
    """Tell all there is."""
    return {"all": "x" * 1_000_000}


def ask(tool: Callable[..., Mapping[str, Any]]) -> tuple[PendingAnswer, list[ChatMessage]]:
    """A question whose model calls this tool and then answers; and what is shown at last."""
    backend = ScriptedBackend([call(tool.__name__), final("That is all.")])
    agent = Agent(backend, Toolbox((Tool.of(tool),), Identity("s001", "mini")), trusting)
    turn = PendingAnswer(agent, Task("mini", "s001", "Why?", "report"), SAY, silence=2.0)
    return turn, list(turn.messages())[-1]


def test_one_that_raises_is_our_fault_and_the_student_is_told_without_details(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turn, shown = ask(look_up)
    assert shown[-1]["content"] == SAY["broken"]
    assert turn.record is None
    assert "ZeroDivisionError" in caplog.text


def test_one_that_hangs_is_given_up_and_others_get_the_place(caplog: pytest.LogCaptureFixture) -> None:
    turn, shown = ask(take_for_ever)
    assert shown[-1]["content"] == SAY["no_model"]
    assert turn.stopped.is_set() and turn.record is None
    assert "given up" in caplog.text


def test_one_that_returns_a_megabyte_is_heard_as_a_refusal_and_the_answer_goes_on() -> None:
    turn, shown = ask(tell_all)
    assert turn.record is not None and turn.record.answer == "That is all."
    (act,) = turn.record.trajectory.acts
    assert not act.observations[0].ok
    assert "1,000,011 letters" in act.observations[0].content
    assert len(str(shown)) < 2000
