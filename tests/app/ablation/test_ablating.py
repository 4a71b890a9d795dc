"""`scribe ablate` on the tiny model, from its file to the page."""

import json
from pathlib import Path

import pytest

import eval as evaluation
from app.cli import main
from tests.finetune import tiny


@pytest.mark.timeout(300)
def test_one_command_trains_asks_and_compares_and_does_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"ANSWER_MAX_TOKENS": "16", "ANSWER_STEPS": "1", "ANSWER_FAULTS": "0"}.items():
        monkeypatch.setenv(f"SCRIBE_{name}", value)
    short = {"epochs": 1, "checkpoint_seconds": 300.0}
    pipeline = tiny.write_config(tmp_path / "tiny.toml", tiny.make_model(tmp_path / "base"), stage1=short, stage2=short)
    out = tmp_path / "out"
    questions = Path(evaluation.__file__).with_name("student_questions.jsonl")
    sizes = ["--ranks", "2", "--questions", str(questions), "--limit", "2", "--threads", "1"]
    words = ["ablate", str(pipeline), "--out", str(out), "--kinds", "single", "stage-1", *sizes]
    assert main(words) == 0
    said = capsys.readouterr().out
    names = ["base", "single@2", "stage-1@2"]
    assert all(f"| answered | {name} |" in said for name in names)
    answers = [out / "answers" / f"{name}.jsonl" for name in names]
    asked = [json.loads(line)["id"] for line in questions.read_text(encoding="utf-8").splitlines()]
    for path in answers:
        assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == asked[:2]
    page = (out / "report" / "index.html").read_text()
    assert all(name in page for name in names)
    assert (out / "ablation.csv").read_text().startswith("measure,run,yes,of,share,low,high")
    before = {path: path.read_bytes() for path in answers}
    assert main(words) == 0
    assert {path: path.read_bytes() for path in answers} == before
    assert "..." not in "".join(
        line for line in capsys.readouterr().err.splitlines() if "@" in line and "asking" not in line
    )
