"""A bundle is replaced as a whole or not at all, whoever is killed and whenever."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from data.build.staging import put_back, stage_bundle, take_place
from data.course import BundleError
from scribe.plumbing.errors import UsageError
from tests.data.build.scene import bundle_bytes
from tests.data.mini_bundle import write_mini

KILLED = """
import os, signal, sys
from pathlib import Path
from data.build.staging import put_back, stage_bundle, take_place
folder = Path(sys.argv[1])
with stage_bundle(folder, folder) as staged:
    (staged / "quality.json").write_text("new")
    if sys.argv[2] == "after":
        take_place(staged, folder)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    folder = write_mini(tmp_path / "mini")
    (folder / "quality.json").write_text("old")
    (folder / "notes.txt").write_text("kept")
    return folder


def killed(folder: Path, when: str) -> None:
    run = subprocess.run([sys.executable, "-c", KILLED, str(folder), when], check=False)
    assert run.returncode == -signal.SIGKILL


def test_what_is_built_is_new_and_all_else_is_kept(mini: Path) -> None:
    before = bundle_bytes(mini)
    with stage_bundle(mini, mini) as staged:
        (staged / "quality.json").write_text("new")
        take_place(staged, mini)
    after = bundle_bytes(mini)
    assert after["quality.json"] == b"new"
    assert after["notes.txt"] == b"kept"
    assert {name for name in before if name not in after} == {
        "predictions.parquet",
        "students.parquet",
        "importance.parquet",
        *(name for name in before if name.startswith(("reports/", "grades", "sufficient"))),
    }
    assert [path.name for path in mini.parent.iterdir()] == ["mini"]


def test_a_failure_leaves_the_old_bundle_and_nothing_else(mini: Path) -> None:
    before = bundle_bytes(mini)
    with pytest.raises(ZeroDivisionError), stage_bundle(mini, mini) as staged:
        (staged / "course.toml").unlink()
        _ = 1 // 0
    assert bundle_bytes(mini) == before
    assert [path.name for path in mini.parent.iterdir()] == ["mini"]


def test_a_build_that_is_killed_leaves_the_old_bundle_or_the_new_one(mini: Path) -> None:
    before = bundle_bytes(mini)
    killed(mini, "before")
    assert bundle_bytes(mini) == before
    killed(mini, "after")
    assert (mini / "quality.json").read_text() == "new"
    with stage_bundle(mini, mini) as staged:
        assert (staged / "notes.txt").read_text() == "kept"
    assert [path.name for path in mini.parent.iterdir()] == ["mini"]


def test_a_bundle_that_was_put_aside_by_a_killed_build_comes_back(mini: Path) -> None:
    before = bundle_bytes(mini)
    work = mini.parent / ".mini.building"
    work.mkdir()
    mini.rename(work / "before")
    put_back(mini)
    assert bundle_bytes(mini) == before
    with stage_bundle(mini, mini) as staged:
        assert (staged / "notes.txt").read_text() == "kept"
    assert [path.name for path in mini.parent.iterdir()] == ["mini"]


def test_two_builds_of_one_bundle_cannot_run_at_once(mini: Path) -> None:
    with (
        stage_bundle(mini, mini),
        pytest.raises(UsageError, match="mini: is being built by another process"),
        stage_bundle(mini, mini),
    ):
        pass
    with stage_bundle(mini, mini) as staged:
        assert staged.is_dir()


def test_a_bundle_can_be_written_elsewhere_with_its_material(mini: Path, tmp_path: Path) -> None:
    there = tmp_path / "out" / "mini"
    with stage_bundle(mini, there) as staged:
        take_place(staged, there)
    assert {"course.toml", "textbook/01.md"} <= set(bundle_bytes(there))
    assert "notes.txt" not in bundle_bytes(there)
    (there / "course.toml").write_text("changed there")
    assert "mini" in (mini / "course.toml").read_text()


def test_a_folder_that_is_no_bundle_is_not_replaced(mini: Path, tmp_path: Path) -> None:
    precious = tmp_path / "thesis"
    precious.mkdir()
    (precious / "chapter.tex").write_text("years of work")
    with pytest.raises(BundleError, match="thesis: is no course bundle and is not empty"), stage_bundle(mini, precious):
        pass
    assert (precious / "chapter.tex").read_text() == "years of work"
