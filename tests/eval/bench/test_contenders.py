"""Contenders: with random weights all write what was recorded, and what they read is counted."""

from dataclasses import replace
from pathlib import Path

import pytest

from eval.asking import Asking
from eval.bench.contenders import Conditions, Kind, contend, engine_of
from eval.bench.first_token import COLD, row, watched
from eval.bench.listening import Turn, distinct
from eval.bench.reciting import Reciting
from eval.bench.recorded import Answered, Recorded
from scribe.backend import Sampling
from scribe.errors import BackendError, UsageError
from scribe.messages import Message


def test_distinct_tokens_are_the_nodes_of_the_prefix_tree() -> None:
    assert distinct([]) == 0
    assert distinct([(1, 2, 3), (1, 2, 4), (1, 2), (2, 3)]) == 6


def test_a_recited_question_ends_as_it_did(recorded: Recorded) -> None:
    asking = Asking(Reciting(recorded))
    for each in recorded.answered:
        done = asking.answer(each.written)
        assert (done.steps, done.stop) == (each.done.steps, each.done.stop)


def test_what_was_not_recorded_is_not_recited(recorded: Recorded) -> None:
    with pytest.raises(BackendError, match="left the record"):
        Reciting(recorded).complete((Message("user", "what else?"),), Sampling())


@pytest.mark.parametrize(("kind", "at_once"), [("engine", 2), ("plain", 1)])
def test_random_weights_write_what_was_recorded(kind: Kind, at_once: int, replaying: Conditions) -> None:
    of, turns = contend(kind, at_once, replaying), replaying.recorded.turns
    assert (of.questions, of.answered, of.requests) == (2, 2, len(turns))
    assert of.written == sum(len(turn.wrote) for turn in turns)
    assert of.prompts == sum(len(turn.ids) for turn in turns)
    assert of.distinct == distinct(turn.ids for turn in turns)
    assert of.distinct_in_all - of.written <= of.evaluated <= (1.05 if kind == "engine" else 1.5) * of.distinct


def test_a_model_that_replays_nothing_writes_its_own(recorded: Recorded, random_model: Path) -> None:
    of = contend("plain", 1, Conditions(random_model, recorded, replay=False, threads=1))
    assert of.questions == 2
    assert of.written > 20


def test_a_turn_that_leaves_the_record_fails(replaying: Conditions) -> None:
    first = replaying.recorded.answered[0]
    turn = first.turns[0]
    wrong = Turn(turn.prompt, turn.ids, turn.text, (*turn.wrote[:3], 0), turn.finish)
    engine = engine_of(replace(replaying, recorded=Recorded((Answered(first.written, (wrong,), first.done),))), 1)
    with pytest.raises(BackendError, match="left the record"):
        Asking(engine).answer(first.written)
    engine.close()


def test_llama_server_must_be_named(replaying: Conditions) -> None:
    with pytest.raises(UsageError, match="--llama-server"):
        contend("llama-server", 2, replaying)


def test_a_second_question_and_a_restart_read_less_than_cold(replaying: Conditions, tmp_path: Path) -> None:
    seen, starts = watched(replaying, 1)
    read = {name: cases[0].read for name, cases in seen.items()}
    assert set(read) == set(COLD)
    assert all(read[name] < read[cold] / 2 for name, cold in COLD.items() if name != cold)
    assert {len(row(name, seen)) for name in COLD} == {6}
    assert all(starts.values())
