"""Contenders are asked the same, and what they read and write is counted."""

from dataclasses import replace

import pytest

from eval.bench.engine.conditions import Conditions
from eval.bench.engine.rate import HEAD, ContenderRun, Kind, make_row, measure_contender
from eval.bench.engine.timing import count_distinct
from scribe.plumbing.errors import UsageError

ENGINE = ContenderRun("engine, 2 at once", ("Yes.", "No.", "", "So."), 10.0, 8.0, 9, 105, 100, 50)
PLAIN = replace(ENGINE, name="plain loop", answers=("Yes.", "Perhaps.", "", ""), seconds=40.0, evaluated=300)


def test_distinct_tokens_are_the_nodes_of_the_prefix_tree() -> None:
    assert count_distinct([]) == 0
    assert count_distinct([(1, 2, 3), (1, 2, 4), (1, 2), (2, 3)]) == 6


@pytest.mark.parametrize(("kind", "at_once"), [("engine", 2), ("plain loop", 1)])
def test_every_contender_reads_and_writes_and_is_counted(kind: Kind, at_once: int, conditions: Conditions) -> None:
    found = measure_contender(kind, at_once, conditions)
    assert len(found.answers) == 2
    assert found.requests == 2
    assert 2 <= found.written <= 32
    assert 0 < found.evaluated <= 1.05 * found.distinct  # the beginning that both prompts share is read once
    assert found.seconds > 0 and found.cpu_seconds > 0


def test_llama_server_must_be_named(conditions: Conditions) -> None:
    with pytest.raises(UsageError, match="--llama-server"):
        measure_contender("llama-server", 2, conditions)


def test_a_row_has_medians_and_compares_rates_and_answers_with_the_engines() -> None:
    engine = [ENGINE, replace(ENGINE, seconds=20.0), replace(ENGINE, seconds=12.0)]
    row = make_row([PLAIN], engine)
    assert len(row) == len(HEAD)
    assert row[:7] == ("plain loop", "6.0", "6.0 to 6.0", "3.33", "8", "2", "2")
    assert row[9] == "3.000"
    assert make_row(engine, engine)[1:4] == ("20.0", "12.0 to 24.0", "1.00")
