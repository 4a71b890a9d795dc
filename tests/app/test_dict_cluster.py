"""`scribe dict --engine ray`: the same sessions as in threads."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

# Read when Ray is imported, see tests/app/batch/test_cluster.py.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
pytest.importorskip("ray", reason="Ray is optional: pip install 'scribe-campus[ray]'")

from app.cli import main

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap"),
    pytest.mark.timeout(600),
]


def read_sessions(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "sessions.jsonl").read_text(encoding="utf-8").splitlines()
    found = [{**json.loads(line), "seconds": 0} for line in lines]
    return sorted(found, key=lambda session: str(session["key"]))


def test_sessions_of_a_cluster_are_those_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))  # where workers find this checkout
    words = ["dict", "--tutor", "explainer", "--tasks", "word-ranking", "--attempts", "2", "--rounds", "1"]
    assert main([*words, "--out", str(tmp_path / "ray"), "--engine", "ray", "--ray-workers", "1"]) == 0
    assert main([*words, "--out", str(tmp_path / "here")]) == 0
    assert read_sessions(tmp_path / "ray") == read_sessions(tmp_path / "here")
    ids = {json.loads(line)["id"] for line in (tmp_path / "ray" / "programs.jsonl").read_text().splitlines()}
    programs = (
        each for session in read_sessions(tmp_path / "ray") for test in session["tests"] for each in test["programs"]
    )
    assert {each["program"] for each in programs} <= ids
