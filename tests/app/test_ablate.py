"""`scribe ablate`: what differs between variants, and the tiny model from its file to the page."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import eval as evaluation
from app.cli import main
from app.commands.ablate import list_variants, vary
from finetune.pipeline import config
from tests.finetune import tiny

PIPELINE = config.parse_pipeline(tiny.make_config(Path("base")))


@pytest.mark.timeout(900)
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
    assert "index.html: 3 runs" in capsys.readouterr().out
    names = ["base", "single@2", "stage-1@2"]
    answers = [out / "answers" / f"{name}.jsonl" for name in names]
    asked = [json.loads(line)["id"] for line in questions.read_text(encoding="utf-8").splitlines()]
    for path in answers:
        assert [json.loads(line)["id"] for line in path.read_text().splitlines()] == asked[:2]
    page = (out / "report" / "index.html").read_text()
    assert all(name in page for name in names)
    measured = (out / "report" / "csv" / "tool_use.csv").read_text()
    assert "first tool acceptable" in measured
    assert all(f"\n{name},2," in measured for name in names)
    before = {path: path.read_bytes() for path in answers}
    assert main(words) == 0
    assert {path: path.read_bytes() for path in answers} == before
    assert "..." not in "".join(
        line for line in capsys.readouterr().err.splitlines() if "@" in line and "asking" not in line
    )


def test_the_rank_changes_and_the_scale_stays() -> None:
    made = vary(PIPELINE, single=False, rank=64)
    assert [(stage.rank, stage.alpha) for stage in made.stages.values()] == [(64, 128.0), (64, 128.0)]
    assert replace(made.stages["stage2"], rank=4, alpha=8.0) == PIPELINE.stages["stage2"]
    assert (made.trajectories, made.examples, made.model) == (PIPELINE.trajectories, PIPELINE.examples, PIPELINE.model)


def test_a_single_stage_is_trained_as_the_first_one_but_on_everything() -> None:
    made = vary(PIPELINE, single=True, rank=4)
    assert made.stages == {"single": replace(PIPELINE.stages["stage1"], stage="single")}
    back = vary(made, single=False, rank=4)
    assert [stage.stage for stage in back.stages.values()] == ["first", "later"]


def test_all_take_the_same_examples_and_a_first_stage_is_trained_once() -> None:
    made = list_variants(PIPELINE, ("two-stage", "single", "stage-1"), (4, 8, 4), Path("out"))
    assert [each.name for each in made] == [
        f"{kind}@{rank}" for kind in ("two-stage", "single", "stage-1") for rank in (4, 8)
    ]
    examples = {each.steps[0].inputs["examples"] for each in made}
    assert examples == {Path("out/data/3-examples.parquet")}
    whole, first = made[0], made[4]
    assert whole.steps[0].out == first.steps[0].out == Path("out/two-stage@4/4-stage1")
    assert whole.file != first.file
    assert len({each.file for each in made}) == 6
