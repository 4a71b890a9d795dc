"""Trajectories on disk: what is written is read again, and a broken file says where it is broken."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scribe import records
from scribe.plumbing.errors import RecordError
from scribe.records import Record
from scribe.trajectory import (
    Act,
    Answer,
    Call,
    Exchange,
    Fault,
    Observation,
    Stop,
    Task,
    Trajectory,
    Usage,
)

TASK = Task("dsp", "s001", "É?\n\u2028“why” 😀", "A report.", "About.", (Exchange("q", "a"),), "French", "nr")
STEPS = (
    Act(
        "so",
        (Call("f", {"week": 5, "list": [1, None, True, 2.5], "deep": {"a": "b"}}), Call("g")),
        (Observation(True, '{"title": "Été"}', ("week: '5' to 5",)), Observation(False, "{}")),
    ),
    Fault("raw\ttext", "complaint"),
    Answer("thought", "It is."),
)
WHOLE = Trajectory(TASK, STEPS, Stop.ANSWERED, Usage(100, 40, 20, 1.5))


def record(id: str = "1", trajectory: Trajectory = WHOLE) -> Record:
    return Record.of(trajectory, id, {"backend": "scripted"})


def test_every_kind_of_step_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "new" / "records.jsonl"
    unfinished = Trajectory(TASK, STEPS[:1])
    records.write(path, [record("1"), record("2", unfinished)])
    first, second = records.read(path)
    assert (first, first.trajectory) == (record("1"), WHOLE)
    assert (second.trajectory, second.stop, second.answer) == (unfinished, None, None)
    assert type(first.steps[1]) is Fault and type(first.stop) is Stop


def test_a_record_is_one_line_of_plain_json() -> None:
    text = records.to_json(record())
    assert "\n" not in text and "😀" in text
    told = json.loads(text)
    assert list(told) == ["id", "task", "steps", "stop", "answer", "usage", "model"]
    assert [step["kind"] for step in told["steps"]] == ["act", "fault", "answer"]
    assert (told["stop"], told["answer"], told["usage"]["cached_tokens"]) == ("answered", "It is.", 40)
    assert records.from_json(records.to_json(record(), indent=2)) == record()


@pytest.mark.parametrize("stop", Stop)
def test_every_reason_to_stop_is_kept(stop: Stop) -> None:
    ended = Trajectory(TASK, STEPS[:2], stop)
    assert records.from_json(records.to_json(record(trajectory=ended))).trajectory == ended


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"not json",
        b"[]",
        b"{}",
        b"\xff\xfe{}",
        b'{"id": "\xe9"}',
        b"[" * 100_000,
        records.to_json(record()).replace('"answered"', '"tired"').encode(),
        records.to_json(record()).replace('"fault"', '"guess"').encode(),
        records.to_json(record()).replace('"steps"', '"moves"').encode(),
        records.to_json(record())[:-40].encode(),
    ],
)
def test_a_broken_line_is_named_with_its_file_after_the_good_ones(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(records.to_json(record()).encode() + b"\n\n" + line + b"\n")
    reading = records.read(path)
    assert next(reading) == record()
    with pytest.raises(RecordError, match=r"records\.jsonl:3: not a readable record"):
        next(reading)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    records.write(path, [record("old")])

    def some() -> Iterator[Record]:
        yield record("new")
        raise RuntimeError("the model went away")

    with pytest.raises(RuntimeError):
        records.write(path, some())
    with pytest.raises(UnicodeEncodeError):
        records.write(path, [record("new"), record("\ud800")])
    assert [kept.id for kept in records.read(path)] == ["old"]
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]


def test_a_record_from_before_there_was_a_queue_is_readable() -> None:
    old = json.loads(records.to_json(record()))
    del old["usage"]["queue_seconds"]
    assert records.from_json(json.dumps(old)) == record()


def test_a_record_that_cannot_be_read_names_the_field() -> None:
    with pytest.raises(RecordError, match=r"^here: not a readable record: id: Field required"):
        records.from_json("{}", "here")
    with pytest.raises(RecordError, match=r"not a readable record: the whole of it: "):
        records.from_json("7")
