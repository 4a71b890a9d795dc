"""`scribe train`, killed in the middle."""

import random
from pathlib import Path

import pytest

from finetune.pipeline.kills import compared, killed_and_resumed, moments


@pytest.mark.timeout(600)  # three processes, which a busy machine takes its time to start
def test_a_run_that_was_killed_ends_with_the_same_files(tmp_path: Path) -> None:
    found = killed_and_resumed(tmp_path, kills=1, seed=1)
    assert found.good, found
    assert found.kills == 1
    assert found.files > 25


def test_moments_are_spread_over_all_steps_by_how_long_they_last() -> None:
    lasting = {"short": 1.0, "long": 9.0}
    found = moments(lasting, 1000, random.Random(0))
    assert 60 < sum(each.step == "short" for each in found) < 140
    assert all(0 <= each.after <= lasting[each.step] for each in found)
    assert [each.step for each in found] == sorted((each.step for each in found), reverse=True)


def test_a_file_that_differs_or_is_missing_is_found(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same").write_text("a")
        (tmp_path / name / "x.manifest.json").write_text(name)
        (tmp_path / name / "differs").write_text(name)
    (tmp_path / "one" / "missing").write_text("")
    (tmp_path / "other" / "too many").write_text("")
    names, differing = compared(tmp_path / "one", tmp_path / "other")
    assert names == ["differs", "missing", "same", "too many"]
    assert differing == ["differs", "missing", "too many"]
