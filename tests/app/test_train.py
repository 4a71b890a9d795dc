"""`scribe train`: what it says before, while and after it runs."""

from pathlib import Path

import pytest

from app.cli import main
from finetune.pipeline import config
from tests.finetune import tiny

CONFIGS = sorted((Path(config.__file__).parents[1] / "configs").glob("*.toml"))


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipeline")
    return tiny.write_config(folder / "tiny.toml", tiny.make_model(folder / "base"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_dry_run_says_what_each_stage_takes_without_any_weights(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", str(path), "--out", str(tmp_path / "run"), "--dry-run", "--card", "a100-80"]) == 0
    said = capsys.readouterr().out
    pipeline = config.load_pipeline(path)
    stages = len(pipeline.stages)
    assert ("(is not there yet)" in said) is (not pipeline.model.folder.exists())
    assert said.count("trainable weights: ") == said.count("a100-80 has 80") == stages
    assert "conversations, before filtering" in said
    assert not (tmp_path / "run").exists()


def test_a_step_alone_is_run_and_told_and_the_pipelines_file_is_kept(
    pipeline: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(["train", str(pipeline), "--out", str(out), "--only", "trajectories"]) == 0
    said = capsys.readouterr()
    assert "| trajectories | 1-trajectories.jsonl | it has not been made |" in said.out
    assert "trajectories 12, calls" in said.out
    assert said.err.startswith("trajectories ...")
    assert (out / "pipeline.toml").read_bytes() == pipeline.read_bytes()
    assert main(["train", str(pipeline), "--out", str(out), "--until", "trajectories"]) == 0
    assert "| was done |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "export"], "export needs"),
        (["--only", "exprot"], "there is no step 'exprot' here; there are: trajectories"),
        (["--card", "h100"], "--card is for --dry-run"),
        (["--dry-run", "--card", "z9"], "there is no card z9"),
    ],
)
def test_what_cannot_be_is_refused_with_exit_code_2(
    pipeline: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["train", str(pipeline), "--out", str(tmp_path / "run"), *words]) == 2
    assert said in capsys.readouterr().err
