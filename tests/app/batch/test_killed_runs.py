"""A batch that is killed or interrupted, and run again until it is done."""

import json
import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval.bench.apart import tell
from eval.bench.batch import Batch, scripted
from eval.bench.kills import killed_and_resumed
from eval.bench.scripted_server import ScriptedServer, serving
from tests.app.batch.questions import lines, row

TWO = ("--parallel", "2")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(delay=0.01) as scripted_server:
        yield scripted_server


def asking(rows: int, folder: Path, server: ScriptedServer) -> Batch:
    return scripted([row(number) for number in range(rows)], folder, server, TWO)


@pytest.mark.timeout(400)  # seven processes, which a busy machine takes its time to start
def test_killed_at_random_moments_nothing_is_lost_or_there_twice(place: Path, server: ScriptedServer) -> None:
    found = killed_and_resumed(asking(60, place, server), 4, tell)
    assert found.kills == 4
    assert found.midway >= 2
    assert found.code == 0
    assert found.good
    assert [line["id"] for line in lines(place / "out.jsonl")] == [f"q{number}" for number in range(60)]
    assert 60 <= server.asked <= 60 + 4 * 8  # at most what two threads had in hand at each kill
    runs = json.loads((place / "out.jsonl.manifest.json").read_text())["runs"]
    assert [run["state"] for run in runs][-1] == "finished"
    assert "killed" in [run["state"] for run in runs]


def test_ctrl_c_ends_with_130_whole_lines_and_a_manifest_that_says_so(place: Path, server: ScriptedServer) -> None:
    batch = asking(200, place, server)
    run = batch.start(stdout=subprocess.PIPE, text=True)
    while not batch.size:
        assert run.poll() is None
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGINT)
    told, _ = run.communicate(timeout=30)
    assert run.returncode == 130
    answered = len(lines(batch.out))
    assert 0 < answered < 200
    assert f"{answered} answered, {200 - answered} left; run the same again to go on" in told
    manifest = json.loads((place / "out.jsonl.manifest.json").read_text())
    assert manifest["runs"][-1]["state"] == "interrupted"
    assert manifest["counts"]["ok"] == answered


def test_who_watches_a_terminal_sees_how_far_it_is(
    place: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    server.delay = 0.1
    ours, theirs = pty.openpty()
    with asking(12, place, server).start(stdout=subprocess.PIPE, stderr=theirs) as run:
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
