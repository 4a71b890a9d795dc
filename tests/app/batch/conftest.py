"""Every test here runs in a folder of its own with a course of three weeks."""

from pathlib import Path

import pytest

from tests.app.batch.questions import courses


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is current."""
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(courses(tmp_path / "courses")))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path
