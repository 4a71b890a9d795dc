"""The whole step: from an adapter to files that the chat loads by path."""

import shutil
from pathlib import Path

import pytest

from finetune.export.merge import merge_adapter
from finetune.export.parity import measure_parity, tabulate
from finetune.export.step import make_step
from finetune.settings import ExportSettings
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.manifest import read_step
from tests.finetune.export.tiny_adapter import make_adapter
from tools.assembly.assistant import assemble, find_course
from tools.assembly.model import make_backend
from tools.assembly.settings import AssistantSettings

SETTINGS = ExportSettings(("f16", "q8_0"), parity_rows=2)


@pytest.fixture(scope="module")
def out(base: Path, adapter: Path, trajectories: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "model"
    make_step(SETTINGS, base, adapter, trajectories, folder).run()
    return folder


def test_everything_that_the_chat_needs_lies_in_one_folder(out: Path) -> None:
    made = {path.name for path in out.iterdir()}
    assert made == {"hf", "model.f16.gguf", "model.q8_0.gguf", "parity.csv", "parity.md"}


def test_the_table_shows_that_each_file_computes_what_the_model_computes(out: Path) -> None:
    lines = (out / "parity.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["model.f16.gguf", "model.q8_0.gguf"]
    assert all(line.endswith(",agrees") for line in lines[1:])


def test_the_manifest_says_from_what_and_how(out: Path, base: Path, adapter: Path, trajectories: Path) -> None:
    found = read_step(out)
    assert found is not None
    assert set(found.inputs) == {"base", "adapter", "trajectories"}
    assert found.counts["model.q8_0.gguf"]["positions"] > 100
    assert make_step(SETTINGS, base, adapter, trajectories, out).due is None


def test_the_chat_loads_a_file_by_its_path(out: Path) -> None:
    settings = AssistantSettings().with_changes("model", path=str(out / "model.q8_0.gguf"), context=512)
    assistant = assemble(settings, find_course(settings), make_backend(settings))
    assert assistant.backend.info["name"] == "model.q8_0.gguf"


def test_a_run_that_was_killed_goes_on_with_what_is_missing(
    out: Path, base: Path, adapter: Path, trajectories: Path, tmp_path: Path
) -> None:
    again = tmp_path / "model"
    shutil.copytree(out, again)
    (again / "model.q8_0.gguf").unlink()
    (again / ".model.q8_0.gguf.x.partial").write_bytes(b"GGUF half")
    kept = (again / "model.f16.gguf").stat().st_mtime_ns
    make_step(SETTINGS, base, adapter, trajectories, again).run()
    assert (again / "model.f16.gguf").stat().st_mtime_ns == kept
    assert (again / "model.q8_0.gguf").read_bytes() == (out / "model.q8_0.gguf").read_bytes()
    assert {path.name for path in again.iterdir()} == {path.name for path in out.iterdir()}


def test_files_of_another_adapter_are_made_anew(out: Path, base: Path, trajectories: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "model", make_adapter(base, tmp_path / "other", r=2)
    shutil.copytree(out, again)
    make_step(ExportSettings(("f16",), parity_rows=1), base, other, trajectories, again).run()
    assert (again / "model.f16.gguf").read_bytes() != (out / "model.f16.gguf").read_bytes()


def test_a_file_of_other_weights_does_not_pass(out: Path, base: Path, trajectories: Path) -> None:
    found = measure_parity(base, [out / "model.f16.gguf"], trajectories, 1)
    assert "the likeliest token agrees in" in found[0].problems[0]
    assert found[0].largest > 1
    assert "less than" in tabulate(found).markdown()


def test_a_step_that_would_export_another_models_adapter_stops_before_it_writes(
    out: Path, adapter: Path, trajectories: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="trained on other weights"):
        make_step(SETTINGS, out / "hf", adapter, trajectories, tmp_path / "no").run()
    assert not (tmp_path / "no").exists()


def test_a_table_is_written_even_when_a_file_does_not_agree(
    out: Path, base: Path, adapter: Path, trajectories: Path, tmp_path: Path
) -> None:
    """A file that claims the right weights but holds others, as after a broken disk."""
    broken = tmp_path / "model"
    make_step(ExportSettings(("f16",), parity_rows=1), base, adapter, trajectories, broken).run()
    (tmp_path / "model.manifest.json").unlink()
    path = broken / "model.f16.gguf"
    data = bytearray(path.read_bytes())
    data[-20_000:] = bytes(20_000)
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match="not what the model computes"):
        make_step(ExportSettings(("f16",), parity_rows=1), base, adapter, trajectories, broken).run()
    assert "model.f16.gguf" in (broken / "parity.md").read_text()
    assert read_step(broken) is None


def test_hidden_files_of_others_in_the_folder_stay(
    base: Path, adapter: Path, trajectories: Path, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".hf.abc.partial").mkdir()
    (tmp_path / ".model.f16.gguf.abc.partial").write_text("half")
    make_step(ExportSettings((), parity_rows=1), base, adapter, trajectories, tmp_path).run()
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == {".git"}


def test_merging_twice_replaces_the_folder_whole(base: Path, adapter: Path, tmp_path: Path) -> None:
    first = merge_adapter(base, adapter, tmp_path / "hf", "f32")
    (tmp_path / "hf" / "left.txt").write_text("over")
    assert merge_adapter(base, adapter, tmp_path / "hf", "f32") == first
    assert not (tmp_path / "hf" / "left.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["hf"]
