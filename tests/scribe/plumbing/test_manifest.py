"""What a step made is known again, and whatever it depends on makes it due."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from scribe.plumbing.manifest import (
    finish_step,
    list_versions,
    manifest_path,
    read_manifest,
    read_step,
    why_due,
    write_manifest,
)

Made = tuple[Path, dict[str, Path]]


@dataclass(frozen=True, slots=True)
class Settings:
    """Of a step that does not exist."""

    rank: int = 8
    parts: tuple[str, ...] = ("a",)
    where: Path = Path("x")


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """An output with its manifest, and the inputs it was made from: a file and a folder."""
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    given = {"file": tmp_path / "in.txt", "folder": tmp_path / "folder"}
    given["file"].write_text("in")
    (given["folder"] / "inner" / "a.txt").write_text("a")
    out = tmp_path / "out.txt"
    out.write_text("out")
    finish_step(out, "step", given, Settings(), {"rows": 2}, 1.23456, ["model"])
    return out, given


def test_a_finished_step_is_done_and_says_what_it_was(made: Made) -> None:
    out, given = made
    assert why_due(out, "step", given, Settings()) is None
    step = read_step(out)
    assert step is not None and step.counts == {"rows": 2} and step.models == ["model"] and step.seconds == 1.235
    assert step.settings == {"rank": 8, "parts": ["a"], "where": "x"} and "python" in step.versions


def test_whatever_changes_makes_the_step_due(made: Made) -> None:
    out, given = made
    assert why_due(out, "other", given, Settings()) == "it has not been made"
    assert why_due(out, "step", given, Settings(rank=9)) == "settings changed: rank"
    assert why_due(out, "step", {"file": given["file"]}, Settings()) == "it was made from other inputs"
    (given["folder"] / "inner" / "a.txt").write_text("b")
    assert why_due(out, "step", given, Settings()) == "folder changed"
    given["file"].unlink()
    assert why_due(out, "step", given, Settings()) == "file, folder changed"


def test_an_output_that_is_gone_or_cut_is_made_again(made: Made) -> None:
    out, given = made
    out.write_text("ou")
    assert why_due(out, "step", given, Settings()) == "out.txt is not what was made"
    out.unlink()
    assert why_due(out, "step", given, Settings())


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense"])
def test_a_manifest_that_cannot_be_read_is_none(made: Made, text: str) -> None:
    out, given = made
    manifest_path(out).write_text(text)
    assert read_manifest(out) == {} and read_step(out) is None
    assert why_due(out, "step", given, Settings()) == "it has not been made"


def test_any_content_can_be_kept_beside_an_output(tmp_path: Path) -> None:
    write_manifest(tmp_path / "out.jsonl", {"command": "é", "runs": []})
    assert read_manifest(tmp_path / "out.jsonl") == {"command": "é", "runs": []}
    assert read_manifest(tmp_path / "other") == {}


def test_versions_are_of_what_is_installed() -> None:
    assert set(list_versions(["httpx", "no-such-package"])) == {"python", "httpx"}
