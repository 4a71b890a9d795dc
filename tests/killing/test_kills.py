"""Commands that are killed and resumed leave what a run without kills leaves; what differs is seen."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scribe.backend import Sampling
from scribe.backends.api import ApiBackend
from scribe.dialect import Final, MarkerDialect
from scribe.messages import Message
from tests.killing.kills import PARALLEL, KillReport, KillTarget, judging, kill_and_resume
from tests.killing.scripted_model import answer_to, serve_scripted_model

COUNTING = """
import pathlib, sys, time
out = pathlib.Path(sys.argv[1]) / "out"
done = out.read_text().splitlines() if out.exists() and sys.argv[2] == "resumes" else []
with out.open("a") as file:
    for number in range(len(done), 30):
        print(number, file=file, flush=True)
        time.sleep(0.01)
"""


@dataclass(frozen=True, slots=True)
class CountingTarget(KillTarget):
    """A program of a few lines in place of Scribe: it writes thirty numbers, and resumes or begins anew."""

    def start(self, folder: Path, **how: Any) -> "subprocess.Popen[Any]":
        folder.mkdir(exist_ok=True)
        return subprocess.Popen([sys.executable, "-c", COUNTING, *map(str, self.arguments(folder))])


def counting(how: str) -> KillTarget:
    return CountingTarget(lambda folder: [folder, how], lambda folder: (folder / "out").read_text().split(), "out")


def test_a_program_that_resumes_is_good(tmp_path: Path) -> None:
    report = kill_and_resume(counting("resumes"), tmp_path, 3, seed=3)
    assert report.good, report
    assert (report.kills, report.pieces, report.code) == (3, 30, 0)
    assert report.runs >= 2


def test_a_program_that_begins_anew_has_pieces_twice(tmp_path: Path) -> None:
    report = kill_and_resume(counting("forgets"), tmp_path, 3, seed=3)
    assert "0" in report.surplus
    assert not report.good


def test_requests_may_be_repeated_only_as_far_as_a_kill_hit_them() -> None:
    report = KillReport(2, 2, 10, (), (), 2 * 2 * PARALLEL, 0)
    assert report.good
    assert not KillReport(2, 2, 10, (), (), 2 * 2 * PARALLEL + 1, 0).good
    assert not KillReport(2, 2, 10, ("q1",), (), 0, 0).good
    assert not KillReport(2, 2, 10, (), (), 0, 3).good


@pytest.mark.timeout(900)  # five processes, which a busy machine takes its time to start
def test_a_judge_that_is_killed_loses_repeats_and_mixes_up_nothing(tmp_path: Path) -> None:
    with serve_scripted_model() as model:
        report = kill_and_resume(judging(20, tmp_path, model), tmp_path, 2)
    assert report.good, report
    assert report.pieces == 100


def test_the_scripted_model_answers_each_question_in_its_own_way_and_counts() -> None:
    with serve_scripted_model() as model:
        backend = ApiBackend(model.url, "scripted", pause=0.0)
        heard: list[str] = []
        for question in ("Why so?", "Why not?"):
            said = backend.complete([Message("user", question)], Sampling(), on_text=heard.append)
            assert MarkerDialect().read(said.text) == Final("Enough.", answer_to(question))
        assert model.asked == 2
        assert len(heard) >= 2
    assert answer_to("Why so?") != answer_to("Why not?")
