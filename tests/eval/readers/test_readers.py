"""Readers' marks: what a file may say, and the tables made of them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval.readers.__main__ import CRITERIA, Mark, main, make_agreement_table, make_share_table, read_marks
from scribe import records
from scribe.plumbing.errors import RecordError
from scribe.records import Record
from scribe.trajectory import Answer, Exchange, Stop, Task, Trajectory

YES = dict.fromkeys(CRITERIA, True)


def line(id: str, reader: str, **other: Any) -> dict[str, Any]:
    return {"id": id, "reader": reader, **YES, "naturalness": 4, **other}


def answered(id: str, *history: Exchange) -> Record:
    task = Task("mini", "s001", "Why?", "Report.", history=history)
    return Record.of(Trajectory(task, (Answer("So.", "Because."),), Stop.ANSWERED), id, {})


@pytest.fixture
def marks(tmp_path: Path) -> list[Mark]:
    path = tmp_path / "marks.jsonl.gz"
    lines = [
        line("1", "a"),
        line("2", "a", correct=False),
        line("1", "b", naturalness=1),
        line("2", "b", correct=False),
    ]
    path.write_bytes(gzip.compress("".join(json.dumps(each) + "\n" for each in lines).encode()))
    return read_marks(path)


def test_shares_are_over_both_readers_and_by_group(marks: list[Mark]) -> None:
    answers = {"1": answered("1"), "2": answered("2", Exchange("Hi", "Hello."))}
    rows = {row[0]: row[1:] for row in make_share_table(marks, answers).rows}
    assert rows["all"] == (2, 100, 100, 100, 50, 100, 50, 3.2)
    assert rows["follow-up"][4] == 0 and rows["first question"][4] == 100
    assert {"mini", "English", "answered"} <= rows.keys()


def test_readers_are_compared_on_what_both_marked(marks: list[Mark]) -> None:
    rows = {row[1]: row for row in make_agreement_table(marks).rows}
    assert rows["correct"][2:5] == (50, 50, 100) and rows["correct"][5] == pytest.approx(1.0)


def test_a_mark_of_nothing_and_a_line_that_is_none_are_named(
    marks: list[Mark], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RecordError, match="'2', which is not among the answers"):
        make_share_table(marks, {"1": answered("1")})
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps(line("1", "a")) + "\n" + json.dumps(line("1", "a", naturalness=6)) + "\n")
    records.write(tmp_path / "answers.jsonl", [answered("1")])
    assert main([str(wrong), str(tmp_path / "answers.jsonl")]) == 2
    assert "wrong.jsonl:2" in capsys.readouterr().err


def test_the_tables_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = tmp_path / "right.jsonl"
    right.write_text("".join(json.dumps(line("1", reader)) + "\n" for reader in "ab"))
    records.write(tmp_path / "answers.jsonl", [answered("1")])
    assert main([str(right), str(tmp_path / "answers.jsonl")]) == 0
    assert "Percent of YES" in capsys.readouterr().out
