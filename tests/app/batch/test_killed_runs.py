"""A batch that is killed or interrupted, and run again until it is done."""

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.app.batch import killing
from tests.app.batch.questions import lines, row, write


@pytest.mark.timeout(400)  # seven processes, which a busy machine takes its time to start
def test_killed_at_random_moments_nothing_is_lost_or_there_twice(place: Path) -> None:
    found = killing.killed_and_resumed(place, kills=4, rows=60)
    assert found.kills == 4
    assert found.kills_midway >= 2
    assert found.code == 0
    assert found.ids == [f"q{number}" for number in range(60)]
    assert not found.wrong
    assert 60 <= found.asked <= 60 + 4 * 8  # at most what two threads had in hand at each kill
    runs = json.loads((place / "out.jsonl.manifest.json").read_text())["runs"]
    assert [run["state"] for run in runs][-1] == "finished"
    assert "killed" in [run["state"] for run in runs]


def test_ctrl_c_ends_with_130_whole_lines_and_a_manifest_that_says_so(place: Path) -> None:
    source, out = write(place / "in.jsonl", [row(number) for number in range(200)]), place / "out.jsonl"
    where = killing.environment(place)
    run = subprocess.Popen(killing.command(source, out), env=where, stdout=subprocess.PIPE, text=True)
    while not out.exists() or out.stat().st_size == 0:
        assert run.poll() is None
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGINT)
    told, _ = run.communicate(timeout=30)
    assert run.returncode == 130
    answered = len(lines(out))
    assert 0 < answered < 200
    assert f"{answered} answered, {200 - answered} left; run the same again to go on" in told
    manifest = json.loads((place / "out.jsonl.manifest.json").read_text())
    assert manifest["runs"][-1]["state"] == "interrupted"
    assert manifest["counts"]["ok"] == answered


def test_who_watches_a_terminal_sees_how_far_it_is(place: Path) -> None:
    source, out = write(place / "in.jsonl", [row(number) for number in range(12)]), place / "out.jsonl"
    ours, theirs = pty.openpty()
    where = {**killing.environment(place), "SLOW_DELAY": "0.1", "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(killing.command(source, out), env=where, stdout=subprocess.PIPE, stderr=theirs) as run:
        os.close(theirs)
        seen = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    assert run.returncode == 0
    assert "of 12 done" in seen
    assert "a minute, about" in seen


def _read(terminal: int) -> bytes:
    """What came; nothing when nobody holds the other end any more, which Linux calls an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
