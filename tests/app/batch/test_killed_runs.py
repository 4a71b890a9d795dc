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

from tests.app.batch.questions import lines, row
from tests.killing.kills import KillTarget, answering, kill_and_resume
from tests.killing.scripted_model import ScriptedModel, serve_scripted_model

OUT = "answers.jsonl"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with serve_scripted_model(delay=0.01) as scripted_model:
        yield scripted_model


def answering_rows(count: int, folder: Path, model: ScriptedModel) -> KillTarget:
    return answering([row(number) for number in range(count)], folder, model)


@pytest.mark.timeout(400)  # seven processes, which a busy machine takes its time to start
def test_killed_at_random_moments_nothing_is_lost_or_there_twice(place: Path, model: ScriptedModel) -> None:
    report = kill_and_resume(answering_rows(60, place, model), place, 3)
    assert report.good, report
    assert report.kills == 3
    assert report.pieces == 60
    states = set()
    for folder in place.glob("killed-*"):
        assert [line["id"] for line in lines(folder / OUT)] == [f"q{number}" for number in range(60)]
        runs = json.loads((folder / f"{OUT}.manifest.json").read_text())["runs"]
        assert runs[-1]["state"] == "finished"
        states |= {run["state"] for run in runs}
    assert "killed" in states


def test_ctrl_c_ends_with_130_whole_lines_and_a_manifest_that_says_so(place: Path, model: ScriptedModel) -> None:
    target = answering_rows(200, place, model)
    run = target.start(place, stdout=subprocess.PIPE, text=True)
    while not target.measure_size(place):
        assert run.poll() is None
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGINT)
    told, _ = run.communicate(timeout=30)
    assert run.returncode == 130
    answered = len(lines(place / OUT))
    assert 0 < answered < 200
    assert f"{answered} answered, {200 - answered} left; run the same again to go on" in told
    manifest = json.loads((place / f"{OUT}.manifest.json").read_text())
    assert manifest["runs"][-1]["state"] == "interrupted"
    assert manifest["counts"]["ok"] == answered


def test_who_watches_a_terminal_sees_how_far_it_is(
    place: Path, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    model.delay = 0.1
    ours, theirs = pty.openpty()
    with answering_rows(12, place, model).start(place, stdout=subprocess.PIPE, stderr=theirs) as run:
        os.close(theirs)
        seen = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    assert run.returncode == 0
    assert "100 %" in seen
    assert "0:00:0" in seen  # the time left


def _read(terminal: int) -> bytes:
    """What came; nothing when nobody holds the other end any more, which Linux calls an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
