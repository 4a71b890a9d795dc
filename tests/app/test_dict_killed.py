"""`scribe dict` from nothing to its page, killed once on the way. Skipped without bubblewrap."""

import json
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from app.cli import main
from eval.bench.processes import start_scribe

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap"),
    pytest.mark.timeout(900),
]


def test_killed_once_the_same_command_ends_in_the_page_and_no_session_is_lost_or_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--tasks", "word-ranking", "final-grade", "--attempts", "2", "--rounds", "2", "--worst", "1"]
    words = ["dict", "--tutor", "explainer", "idle", "oracle", *small, "--out", str(tmp_path)]
    sessions = tmp_path / "sessions.jsonl"
    with start_scribe(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and (not sessions.exists() or sessions.read_bytes().count(b"\n") < 3):
            time.sleep(0.05)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    before = {json.dumps(json.loads(line)["key"]) for line in sessions.read_bytes().splitlines(keepends=True)[:3]}
    assert main(words) == 0
    assert "18 of 18 sessions; the page on them is" in capsys.readouterr().out
    keys = [json.dumps(json.loads(line)["key"]) for line in sessions.read_text(encoding="utf-8").splitlines()]
    assert len(keys) == len(set(keys)) == 18
    assert before <= set(keys)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Nothing: every session that was asked for is there." not in page  # two tasks are few, and it says so
    assert "Only 2 tasks" in page
    assert "18 of 18 sessions" in page
