"""Time besides the model: parts that belong together add up, and steps are told apart by whether they searched."""

from pathlib import Path

import pytest

from eval.bench.recorded import questions
from eval.bench.replay import ReplayBackend
from eval.bench.stepped import GROUPS, Found
from eval.bench.steps import measured
from eval.bench.stopwatch import Step
from scribe.decoding.chat import ChatTokenizer
from scribe.engine.engine import Sizes
from tests.eval.bench.conftest import COMPARED, LOOKED, SEARCHED, record


@pytest.fixture(scope="module")
def found(chat: ChatTokenizer, random_model: Path) -> Found:
    """Of the engine, which writes a script; the first two questions only warm."""
    asked = questions(4, 1)
    told = record(asked, (LOOKED, SEARCHED, COMPARED, SEARCHED), chat)
    return measured(asked, ReplayBackend(random_model, told, Sizes(4096, 1, 64), 1), lambda words: None, warm=2)


def test_the_parts_of_real_steps_are_parts_of_the_whole(found: Found) -> None:
    assert [(step.kind, step.searched) for step in found.steps] == [
        ("act", False), ("answer", False), ("act", True), ("answer", False),
    ]  # fmt: skip
    for step in found.steps:
        taken = step.seconds
        assert 0 < taken["evaluating"] < taken["model"] < taken["step"]
        assert taken["parsing"] + taken.get("tools", 0.0) + taken.get("grounding", 0.0) < step.loop
        assert step.loop < step.but_evaluating < taken["step"]
        assert ("tools" in taken) <= (step.kind == "act")
        assert ("grounding" in taken) <= (step.kind != "act")
        assert not step.searched or taken["embedding"] < taken["tools"]
        assert min(taken["prompt"], taken["tokens"]) > 0


def test_each_step_counts_for_its_groups() -> None:
    seconds = {"step": 0.5, "model": 0.4, "evaluating": 0.3}
    steps = [Step("act", False, seconds), Step("act", True, {**seconds, "step": 0.9}), Step("answer", False, seconds)]
    numbers = Found(tuple(steps)).numbers()
    assert [numbers[name]["steps"] for name in GROUPS] == [2, 1, 1, 1]
    assert numbers["without search"]["loop"] == pytest.approx((100.0, 100.0))
    assert numbers["with search"]["loop"] == pytest.approx((500.0, 500.0))
    assert numbers["with search"]["but evaluating"] == pytest.approx((600.0, 600.0))


def test_a_group_without_steps_shows_that_there_is_nothing() -> None:
    found = Found((Step("answer", False, {"step": 0.5, "model": 0.4, "evaluating": 0.3}),))
    rows = {row[0]: row[1:] for row in found.rows()}
    assert rows["the loop"] == ["100.00 (100.00)", "–", "100.00 (100.00)", "–"]
    assert rows["goal for the loop"][0] == "3"
    assert {len(row) for row in rows.values()} == {len(GROUPS)}
