"""`scribe pairs`: from a run to pairs, from labels to tables, and what is refused."""

import json
from pathlib import Path

import pytest

from app.cli import main
from eval.agreement.marking import MarksFile
from eval.tutoring.pairs.pair import LABELS, PairLabel, read_keys, read_pairs
from eval.tutoring.protocol.record import SESSION
from eval.tutoring.students.student import LEVELS
from tests.eval.tutoring.scripted import record

Out = pytest.CaptureFixture[str]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two tutors on two tasks."""
    folder = tmp_path / "run"
    folder.mkdir()
    tasks = ("final-grade", "word-ranking")
    found = [record(tutor, task, level, (0, 5)) for tutor in ("good", "bad") for task in tasks for level in LEVELS]
    lines = [json.dumps(SESSION.dump_python(each, mode="json")) + "\n" for each in found]
    (folder / "sessions.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def test_from_a_run_over_labels_to_the_tables(run: Path, tmp_path: Path, capsys: Out) -> None:
    out = tmp_path / "pairs"
    assert main(["pairs", "draw", str(run), "--tutor", "good", "bad", "--out", str(out)]) == 0
    assert "6 pairs of 2 tasks" in capsys.readouterr().out
    keys = read_keys(out)
    for person in ("ana", "ben"):
        file = MarksFile(out / LABELS, person, PairLabel)
        for pair in read_pairs(out):
            better = "one" if keys[pair.name].one == "good" else "other"
            file.add((pair.name, pair.of, "coherence"), "tie" if person == "ben" and pair.block < "7" else better)
    assert main(["pairs", "count", str(out), "--first", "good", "--json", str(tmp_path / "count.json")]) == 0
    told = capsys.readouterr().out
    assert "ana: 6, ben: 6" in told
    assert "| good | bad | coherence | 12 |" in told
    numbers = json.loads((tmp_path / "count.json").read_text(encoding="utf-8"))["numbers"]
    assert numbers["people"] == {"ana": 6, "ben": 6}


def test_what_is_not_there_is_said(run: Path, tmp_path: Path, capsys: Out) -> None:
    assert main(["pairs", "draw", str(run), "--tutor", "good", "other", "--out", str(tmp_path / "p")]) == 2
    assert "those of bad, good" in capsys.readouterr().err
    assert main(["pairs", "count", str(tmp_path)]) == 2
    assert "scribe pairs draw" in capsys.readouterr().err
    assert main(["pairs", "draw", str(run), "--tutor", "good", "bad", "--out", str(tmp_path / "p")]) == 0
    assert main(["pairs", "count", str(tmp_path / "p")]) == 2
    assert "scribe pairs label" in capsys.readouterr().err
    label = ["pairs", "label", str(tmp_path / "p"), "--person", "ana"]
    assert main([*label, "--criteria", "beauty"]) == 2
    assert "proactivity" in capsys.readouterr().err
    assert main([*label, "--host", "0.0.0.0"]) == 2
    assert "does not listen on 0.0.0.0" in capsys.readouterr().err
