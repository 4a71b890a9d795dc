"""What a step made is known again, and whatever it depends on makes it run anew."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from finetune import manifest, sections
from finetune.whole import written
from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """Of a step that does not exist."""

    rank: int = 8
    parts: tuple[str, ...] = ("a",)
    where: Path = Path("x")


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, dict[str, Path]]:
    """An output with its manifest, and the inputs it was made from: a file and a folder."""
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    given = {"file": tmp_path / "in.txt", "folder": tmp_path / "folder"}
    given["file"].write_text("in")
    (given["folder"] / "inner" / "a.txt").write_text("a")
    out = tmp_path / "out.txt"
    out.write_text("out")
    manifest.finish(out, "step", given, Settings(), {"rows": 2}, 1.23456, ["model"])
    return out, given


def test_a_finished_step_is_done_and_says_what_it_was(made: tuple[Path, dict[str, Path]]) -> None:
    out, given = made
    assert manifest.is_done(out, "step", given, Settings())
    told = manifest.read(out)
    assert told is not None and told.counts == {"rows": 2} and told.models == ["model"] and told.seconds == 1.235
    assert told.settings == {"rank": 8, "parts": ["a"], "where": "x"} and "python" in told.versions


def test_whatever_changes_makes_the_step_run_again(made: tuple[Path, dict[str, Path]]) -> None:
    out, given = made
    assert manifest.why_not(out, "other", given, Settings()) == "it has not been made"
    assert manifest.why_not(out, "step", given, Settings(rank=9)) == "settings changed: rank"
    assert manifest.why_not(out, "step", {"file": given["file"]}, Settings()) == "it was made from other inputs"
    (given["folder"] / "inner" / "a.txt").write_text("b")
    assert manifest.why_not(out, "step", given, Settings()) == "folder changed"
    given["file"].unlink()
    assert manifest.why_not(out, "step", given, Settings()) == "file, folder changed"


def test_an_output_that_is_gone_or_cut_is_made_again(made: tuple[Path, dict[str, Path]]) -> None:
    out, given = made
    out.write_text("ou")
    assert manifest.why_not(out, "step", given, Settings()) == "out.txt is not what was made"
    out.unlink()
    assert not manifest.is_done(out, "step", given, Settings())


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense"])
def test_a_manifest_that_cannot_be_read_is_none(made: tuple[Path, dict[str, Path]], text: str) -> None:
    out, given = made
    manifest.beside(out).write_text(text)
    assert manifest.read(out) is None and not manifest.is_done(out, "step", given, Settings())


def test_a_folder_has_the_same_hash_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "in").mkdir(parents=True)
        (tmp_path / name / "in" / "a.txt").write_text("a")
    assert manifest.digest(tmp_path / "one") == manifest.digest(tmp_path / "two")
    (tmp_path / "two" / "in" / "a.txt").rename(tmp_path / "two" / "in" / "b.txt")
    assert manifest.digest(tmp_path / "one") != manifest.digest(tmp_path / "two")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    with written(path) as partial:
        partial.write_text("old")
    with pytest.raises(RuntimeError), written(path) as partial:
        partial.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old" and [each.name for each in path.parent.iterdir()] == ["file.txt"]


def test_settings_are_read_from_a_section_with_changes(tmp_path: Path) -> None:
    path = tmp_path / "pipeline.toml"
    path.write_text('[lora]\nrank = 16\nparts = ["x", "y"]\n[other]\nz = 1\n')
    assert sections.read(Settings, "lora", path) == Settings(16, ("x", "y"))
    changed = sections.read(Settings, "lora", path, ["rank=4", "where=/tmp/w", 'parts=["q"]'])
    assert changed == Settings(4, ("q",), Path("/tmp/w"))
    assert sections.read(Settings, "missing", path) == Settings()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"ranks": 4}, r"\[lora\] has no 'ranks'; it may have: rank, parts, where"),
        ({"rank": "many"}, r"\[lora\] rank: "),
        ({"parts": 3}, r"\[lora\] parts: "),
    ],
)
def test_settings_that_cannot_be_are_refused(table: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        sections.settings(Settings, table, "lora")


def test_a_change_or_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="KEY=VALUE"):
        sections.read(Settings, "lora", None, ["rank"])
    with pytest.raises(UsageError, match="cannot be read"):
        sections.read(Settings, "lora", tmp_path / "none.toml")
