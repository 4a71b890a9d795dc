"""A command of Scribe, killed at random moments again and again, then let run to its end.

Each kill is `kill -9`, mostly while the command does its work, sometimes while it starts. After each one every whole
line must be readable. At the end everything must be as a run without kills leaves it: no piece is missing, there twice
or another's. The programs are the real ones; they ask a model that answers by the request and takes no time.
"""

import json
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.bench.processes import start_scribe
from scribe import records
from scribe.records import Record
from scribe.trajectory import Answer, Stop, Task, Trajectory
from tests.killing.scripted_model import ScriptedModel

EARLY = 0.1
"""The share of kills that do not wait for the command to write anything."""
PARALLEL = 4


@dataclass(frozen=True, slots=True)
class KillTarget:
    """A command that goes on where it was when it is started again in the same folder."""

    arguments: Callable[[Path], Sequence[object]]
    """What follows `scribe`, for a folder."""
    read_pieces: Callable[[Path], Iterable[str]]
    """What the folder holds, each piece different. Raises RecordError for a broken one."""
    watched: str = "**/*"
    """A pattern for the files that grow while the command works."""
    environment: Mapping[str, str | None] = field(default_factory=dict)
    count_requests: Callable[[], int] = lambda: 0
    """Requests to a model so far."""

    def start(self, folder: Path, **how: Any) -> "subprocess.Popen[Any]":
        """Begin a run, or go on with it; see `start_scribe`."""
        folder.mkdir(exist_ok=True)
        return start_scribe(self.arguments(folder), self.environment, **how)

    def measure_size(self, folder: Path) -> int:
        """Bytes that were written so far to what is watched."""
        size = 0
        for path in folder.glob(self.watched):
            try:
                size += path.stat().st_size
            except FileNotFoundError:  # it was there a moment ago
                continue
        return size


@dataclass(frozen=True, slots=True)
class KillReport:
    """What killed runs left behind, beside a run that nobody killed."""

    kills: int
    runs: int
    """Runs that came to an end, one without kills included."""
    pieces: int
    """Pieces that one run leaves."""
    lost: tuple[str, ...]
    surplus: tuple[str, ...]
    """Pieces that are there twice, or that the run without kills has not."""
    repeated: int
    """Requests beyond those of runs without kills: at each kill those under way, and not one that was kept."""
    code: int
    """Exit code of the last run."""

    @property
    def good(self) -> bool:
        """Whether nothing is lost or wrong, and requests were repeated only where a kill hit them."""
        return not (self.lost or self.surplus or self.code) and self.repeated <= self.kills * 2 * PARALLEL


def kill_and_resume(target: KillTarget, folder: Path, kills: int, seed: int = 0) -> KillReport:
    """Run a command whole, then in other folders with so many kills, then to its end; compare.

    A run that is done before its kill is compared too, and the next kill hits another one.
    Raises RecordError for a broken line.
    """
    moments = random.Random(seed)
    longest = _run_whole(target, folder / "whole") * min(1.0, 2 / kills)  # so that all kills hit about one run
    expected, requests = Counter(target.read_pieces(folder / "whole")), target.count_requests()
    rounds, killed = [folder / "killed-1"], 0
    while killed < kills:
        if _kill(target, rounds[-1], moments, longest):
            killed += 1
            list(target.read_pieces(rounds[-1]))
        else:
            rounds.append(folder / f"killed-{len(rounds) + 1}")
    code = target.start(rounds[-1]).wait()
    found = [Counter(target.read_pieces(each)) for each in rounds]
    lost = [piece for pieces in found for piece in expected - pieces]
    surplus = [piece for pieces in found for piece in pieces - expected]
    repeated = target.count_requests() - requests * (1 + len(rounds))
    counts = killed, len(rounds) + 1, sum(expected.values())
    return KillReport(*counts, tuple(lost), tuple(surplus), repeated, code)


def _run_whole(target: KillTarget, folder: Path) -> float:
    """Run the command; the seconds from the first that it wrote to its end."""
    with target.start(folder) as run:
        _wait_for_writing(target, folder, run)
        began = time.perf_counter()
    assert run.returncode == 0, target.arguments(folder)
    return time.perf_counter() - began


def _kill(target: KillTarget, folder: Path, moments: random.Random, longest: float) -> bool:
    """Start a run and kill it a random while after it first wrote, or sometimes before; False if it was done."""
    with target.start(folder) as run:
        if moments.random() >= EARLY:
            _wait_for_writing(target, folder, run)
        time.sleep(moments.random() * longest)
        run.send_signal(signal.SIGKILL)
        return run.wait() == -signal.SIGKILL


def _wait_for_writing(target: KillTarget, folder: Path, run: "subprocess.Popen[Any]") -> None:
    before = target.measure_size(folder)
    while run.poll() is None and target.measure_size(folder) == before:
        time.sleep(0.002)


def answering(rows: Sequence[Mapping[str, str]], folder: Path, model: ScriptedModel) -> KillTarget:
    """`scribe answer` on these rows."""
    source = folder / "questions.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    def arguments(place: Path) -> list[object]:
        how = ["--backend", "api", "--model", "scripted", "--parallel", PARALLEL]
        return ["answer", source, "--out", place / "answers.jsonl", *how]

    def read_pieces(place: Path) -> Iterator[str]:
        for number, line in enumerate(_read_whole_lines(place / "answers.jsonl"), start=1):
            record = records.from_json(line, f"{place}:{number}")
            task = record.trajectory.task
            yield f"{record.id}: {task.course} {task.student} {task.question} {record.answer}"

    environment = {"SCRIBE_MODEL_BASE_URL": model.url}
    return KillTarget(arguments, read_pieces, "answers.jsonl", environment, lambda: model.asked)


def judging(answers: int, folder: Path, model: ScriptedModel) -> KillTarget:
    """`scribe judge` on so many answers, once by each criterion."""
    source = folder / "answers.jsonl"
    records.write(source, map(_make_record, range(answers)))

    def arguments(place: Path) -> list[object]:
        how = ["--judge", "scripted", "--base-url", model.url, "--parallel", PARALLEL]
        return ["judge", source, "--out", place / "judgements.jsonl", "--cache", place / "cache.sqlite", *how]

    def read_pieces(place: Path) -> Iterator[str]:
        for line in _read_whole_lines(place / "judgements.jsonl"):
            told = json.loads(line)
            yield " ".join(str(told[name]) for name in ("answer", "criterion", "repeat", "verdict", "reasoning"))

    return KillTarget(arguments, read_pieces, "cache.sqlite*", count_requests=lambda: model.asked)


def _read_whole_lines(path: Path) -> list[bytes]:
    """The lines that have an end; a killed run may leave half a line behind them."""
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def _make_record(number: int) -> Record:
    """An answer that no other has."""
    task = Task("dsp", "s001", "What is my word?", "Your report says little.")
    done = Trajectory(task).then(Answer("Enough.", f"Your word is word{number}.")).ended(Stop.ANSWERED)
    return Record.of(done, f"word{number}", {"name": "scripted"})
