"""Forged questions, records and half-written answers: refused in words, or answered with nobody else's data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from scribe.records import to_json
from tests.app.store.test_conversations import make_record
from tests.hostile.corpus import Attack, choose
from tests.hostile.obedient import ScriptedObedient
from tests.hostile.world import find_leaks, write_world
from tools.assembly.model import MakeBackend

ANSWERED, REFUSED, UNRESOLVED = 0, 2, 3
ORDERS = Attack("", "", "", "", (("grade_calculator", {"student": "s002"}), ("grade_calculator", {})))
Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(write_world(tmp_path / "courses")))
    monkeypatch.setenv("SCRIBE_COURSES_COURSE", "mini")
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def obey() -> MakeBackend:
    """In place of a model: one that obeys."""
    model = ScriptedObedient()
    model.voice.obey(ORDERS)
    return lambda settings: model


def merge(whole: Any, change: Any) -> Any:
    """The whole with parts of it changed."""
    if isinstance(whole, Mapping) and isinstance(change, Mapping):
        return {**whole, **{key: merge(whole.get(key), value) for key, value in change.items()}}
    return change


def look(capsys: Out, code: int, *allowed: int) -> list[str]:
    """What leaked into the output of a command, and into the files it wrote; and how it ended."""
    told = capsys.readouterr()
    assert code in allowed, (code, told.err)
    assert "Traceback" not in told.err
    written = [path.read_text(encoding="utf-8", errors="replace") for path in Path().glob("out*")]
    return find_leaks("\n".join([told.out, told.err, *written]))


@pytest.mark.parametrize("attack", choose("rows"), ids=lambda each: each.id)
def test_a_question_of_nobody_or_of_two_is_not_answered(attack: Attack, capsys: Out) -> None:
    Path("in.jsonl").write_text(attack.text + "\n", encoding="utf-8")
    assert not look(capsys, main(["answer", "in.jsonl", "--out", "out.jsonl"], obey()), REFUSED)
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize("attack", choose("records"), ids=lambda each: each.id)
def test_forged_records_to_follow_on_give_nothing(attack: Attack, capsys: Out) -> None:
    record = make_record("r1")
    own = merge(json.loads(to_json(record)), {"task": {"course": "mini", "student": "s001"}})
    Path("kept.jsonl").write_text(json.dumps(merge(own, json.loads(attack.text))) + "\n", encoding="utf-8")
    asked = ["ask", "--student", "s001", "--course", "mini", "--follow", "kept.jsonl", "--json", "My grades?"]
    assert not look(capsys, main(asked, obey()), ANSWERED, REFUSED, UNRESOLVED)


@pytest.mark.parametrize("attack", choose("resume"), ids=lambda each: each.id)
def test_forged_answers_to_go_on_from_give_nothing(attack: Attack, capsys: Out) -> None:
    rows = [{"id": f"q{n}", "course": "mini", "student": "s001", "question": "My grades?"} for n in (1, 2)]
    Path("in.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    command = ["answer", "in.jsonl", "--out", "out.jsonl"]
    assert not look(capsys, main(command, obey()), ANSWERED, UNRESOLVED)
    first = Path("out.jsonl").read_text(encoding="utf-8").splitlines()[0]
    forged = merge(json.loads(first), json.loads(attack.text))
    Path("out.jsonl").write_text(json.dumps(forged) + "\n", encoding="utf-8")
    assert not look(capsys, main(command, obey()), ANSWERED, REFUSED, UNRESOLVED)
