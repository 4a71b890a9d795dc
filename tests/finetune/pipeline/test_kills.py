"""`scribe train`, killed in the middle."""

from pathlib import Path

import pytest

from eval.bench.kills import kill_and_resume, training
from finetune.pipeline import tiny


@pytest.mark.timeout(600)  # four processes, which a busy machine takes its time to start
def test_a_run_that_was_killed_ends_with_the_same_files(tmp_path: Path) -> None:
    pipeline = tiny.write_config(tmp_path / "tiny.toml", tiny.make_model(tmp_path / "base"))
    report = kill_and_resume(training(pipeline), tmp_path, 1, seed=1)
    assert report.good, report
    assert report.kills == 1
    assert report.pieces > 25


def test_files_that_tell_of_time_are_not_compared(tmp_path: Path) -> None:
    for name in ("x.manifest.json", "curve.csv", "weights"):
        (tmp_path / name).write_text("a")
    assert [piece.split()[0] for piece in training(tmp_path).read_pieces(tmp_path)] == ["weights"]
