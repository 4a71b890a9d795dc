"""`scribe tasks`: what there is, what is wrong with it, and beginnings from EvoCodeBench."""

import json
import shutil
from pathlib import Path

import pytest

from app.cli import main
from data.tasks.reading import TASKS, list_tasks

Out = pytest.CaptureFixture[str]


def test_the_list_has_every_task_with_its_title_in_either_language(capsys: Out) -> None:
    assert main(["tasks", "list", "--language", "fr"]) == 0
    told = capsys.readouterr().out
    assert "Le guichet de prêt d'une bibliothèque" in told
    assert all(f"{name} " in told for name in list_tasks())


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")
@pytest.mark.timeout(300)
def test_the_check_of_a_folder_says_which_test_fails_for_which_mistake(tmp_path: Path, capsys: Out) -> None:
    folder = shutil.copytree(TASKS / "final-grade", tmp_path / "final-grade")
    (folder / "wrong" / "quarters.3.txt").write_text("    return math.floor(mean * 4 + 0.5) / 4\n", encoding="utf-8")
    assert main(["tasks", "check", str(folder)]) == 2
    told = capsys.readouterr().out
    assert "excused.1 fails test_a_zero_counts\n" in told
    assert "wrong/quarters.3.txt: passes every test" in told
    assert told.endswith("1 problems\n")


def test_a_task_that_cannot_be_read_is_told_and_the_code_says_so(tmp_path: Path, capsys: Out) -> None:
    folder = shutil.copytree(TASKS / "final-grade", tmp_path / "final-grade")
    (folder / "tests.py").unlink()
    assert main(["tasks", "check", str(folder)]) == 2
    assert "tests.py: the file is missing" in capsys.readouterr().out


def test_without_bubblewrap_the_check_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Out
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["tasks", "check", "final-grade"]) == 2
    assert "apt-get install bubblewrap" in capsys.readouterr().err


def test_drafts_from_evocodebench_are_counted(tmp_path: Path, capsys: Out) -> None:
    row = {"namespace": "a.b.f", "completion_path": "a/b.py", "requirement": {"Functionality": "F"}, "dependency": {}}
    (tmp_path / "metadata.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert main(["tasks", "import", str(tmp_path / "metadata.jsonl"), "--out", str(tmp_path / "out")]) == 0
    assert "1 drafts" in capsys.readouterr().out
    assert (tmp_path / "out" / "a-b-f" / "task.toml").is_file()
