"""What the doctor finds, and what it says is missing."""

from pathlib import Path

import pytest

from app.commands import doctor
from tools.assembly.settings import AssistantSettings


def with_model(path: Path, backend: str = "llama") -> AssistantSettings:
    return AssistantSettings().with_changes("model", path=str(path), backend=backend)


def test_a_missing_model_is_missing_and_says_what_to_do(tmp_path: Path) -> None:
    found = doctor.check_model(with_model(tmp_path / "none.gguf"))
    assert found.state == "missing"
    assert "--model" in found.remedy


def test_a_model_file_that_is_cut_off_is_missing(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF weights")
    found = doctor.check_model(with_model(model))
    assert (found.state, "cut off" in found.what) == ("missing", True)


def test_a_model_folder_needs_weights(tmp_path: Path) -> None:
    assert doctor.check_model(with_model(tmp_path, "hf")).state == "missing"
    (tmp_path / "model.safetensors").write_bytes(b"x")
    assert doctor.check_model(with_model(tmp_path, "hf")).state == "ok"


def test_a_package_that_is_not_installed_says_how_to_get_it() -> None:
    known, unknown = doctor.check_packages(("pydantic", "no-such-package"))
    assert known.state == "ok"
    assert (unknown.state, "no-such-package" in unknown.remedy) == ("missing", True)


def test_sentence_transformers_is_needed_only_for_another_embedder() -> None:
    ours = doctor.list_needed(AssistantSettings())
    assert {"tokenizers", "threadpoolctl", "llama-cpp-python"} <= set(ours)
    assert "sentence-transformers" not in ours
    other = doctor.list_needed(AssistantSettings().with_changes("search", embedder="bge-small"))
    assert other == [*ours, "sentence-transformers"]


def test_a_folder_without_a_valid_course_is_missing(tmp_path: Path) -> None:
    empty = AssistantSettings().with_changes("courses", folder=str(tmp_path))
    assert [found.state for found in doctor.check_courses(empty)] == ["missing"]


def test_without_bubblewrap_it_is_said_how_to_get_it_and_questions_can_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = doctor.check_sandbox()
    assert (found.state, "apt-get install bubblewrap" in found.remedy) == ("note", True)


def test_another_embedder_than_ours_is_missing_until_its_folder_holds_it(tmp_path: Path) -> None:
    chosen = AssistantSettings().with_changes("search", embedder="bge-small")
    assert "path under [search]" in doctor.check_embedder(chosen).remedy
    chosen = chosen.with_changes("search", path=str(tmp_path))
    assert doctor.check_embedder(chosen).state == "missing"
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    found = doctor.check_embedder(chosen)
    assert (found.state, str(tmp_path) in found.what) == ("ok", True)
