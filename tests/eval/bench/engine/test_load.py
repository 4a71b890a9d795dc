"""Many talks at once: each asks on when it has its answer, and waiting and memory are counted."""

import pytest

from eval.bench.engine.conditions import Conditions
from eval.bench.engine.load import DELAYS, DelayCounts, LoadRecord, measure_load
from eval.bench.engine.timing import TimedTurn
from scribe.backend import Completion


def test_every_question_is_counted_once_with_its_end(conditions: Conditions) -> None:
    engine = conditions.make_engine(2)
    try:
        load = measure_load(conditions, engine, ["s001", "s002", "s003"], 1.0)
        requests = engine.engine.counters().requests
    finally:
        engine.close()
    numbers = load.numbers()
    assert numbers["questions"] == sum(load.outcomes.values()) == requests >= 3
    assert numbers["first token of a turn"]["count"] == numbers["whole answer"]["count"] == requests
    assert load.trouble == ""
    times = [at for at, _, _ in load.memory]
    assert times == sorted(times) and times[-1] == load.seconds >= 1.0
    assert all(0 <= kept < process for _, process, kept in load.memory)
    assert "the rest" in load.notes()[1]


def test_what_fails_is_counted_and_the_first_trouble_is_told() -> None:
    load = LoadRecord(seconds=60.0)
    load.note_answer("answered", 0.5, 1.0)
    load.note_answer("failed", None, 2.0, "BackendError: gone")
    load.note_answer("failed", None, 2.0, "BackendError: later")
    assert load.outcomes == {"answered": 1, "failed": 2}
    assert "1 answered" in load.notes()[0] and "gone" in load.notes()[0]
    assert load.numbers()["first words of the answer"]["count"] == 1


def test_the_first_piece_of_a_turn_and_the_gaps_behind_it_are_told_apart() -> None:
    load = LoadRecord()
    load.note_turn(TimedTurn((), Completion("", completion_tokens=3), 1.0, (1.5, 1.6, 2.0)))
    assert [load.delays[name].longest for name in DELAYS[:2]] == pytest.approx([0.5, 0.4])
    assert load.delays["between tokens"].numbers()["count"] == 2
    assert load.tokens == 3


def test_quantiles_are_those_of_all_that_was_added() -> None:
    delays = DelayCounts()
    assert delays.numbers() == {"count": 0, "median": 0.0, "99%": 0.0, "longest": 0.0}
    for milliseconds in range(1, 101):
        delays.add(milliseconds / 1000 + 0.0001)
    assert delays.numbers() == pytest.approx({"count": 100, "median": 0.05, "99%": 0.099, "longest": 0.1}, abs=1e-3)
    assert delays.find_quantile(1.0) == pytest.approx(0.1)
