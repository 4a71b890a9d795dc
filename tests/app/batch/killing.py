"""Kill a batch at random moments, again and again, and look after each kill and at the end.

    python -m tests.app.batch.killing --kills 50 --rows 200

prints what was found; `kills` and `rows` may be anything. Each kill is `kill -9`, between a run's start and its end.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.app.batch.questions import courses, row, write
from tests.app.batch.scripted_reader import answer_to

DELAY = 0.01
"""Seconds that the scripted model takes for an answer."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a batch looked like after all its kills.

    kills: how many runs were really killed, and how many of them had a row written by then. torn: kills after which
    the file ended in half a line. asked: questions that the model answered in all, those of lost lines twice.
    """

    kills: int
    kills_midway: int
    torn: int
    code: int
    ids: list[str]
    wrong: list[str]
    asked: int


def killed_and_resumed(folder: Path, kills: int, rows: int, seed: int = 0) -> Found:
    """Run a batch of `rows` in the folder, killed `kills` times, then to the end. Raises ValueError for a bad line."""
    source = write(folder / "in.jsonl", [row(number) for number in range(rows)])
    out, moments = folder / "out.jsonl", random.Random(seed)
    where = environment(folder)
    done = midway = torn = 0
    while done < kills:
        before = _size(out)
        # So short that all the kills together leave some rows for the last run.
        if not _killed(source, out, where, moments, longest=0.5 * DELAY * rows / kills):
            break
        done += 1
        midway += _size(out) > before
        torn += _looked_at(out)
    end = subprocess.run(command(source, out), env=where, capture_output=True, check=False)
    found = [json.loads(line) for line in out.read_bytes().splitlines()]
    wrong = [each["id"] for each in found if each["answer"] != answer_to(each["task"]["question"])]
    asked = len((folder / "asked").read_bytes().splitlines())
    return Found(done, midway, torn, end.returncode, [each["id"] for each in found], wrong, asked)


def _killed(source: Path, out: Path, where: dict[str, str], moments: random.Random, longest: float) -> bool:
    """Start a run and kill it a random while after its first line, or sometimes before; False if it was done first."""
    before = _size(out)
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command(source, out), env=where, stdout=quiet, stderr=quiet) as run:
        if moments.random() < 0.9:
            while run.poll() is None and _size(out) <= before:
                time.sleep(0.002)
        time.sleep(moments.random() * longest)
        if run.poll() is not None:
            return False
        run.send_signal(signal.SIGKILL)
    return True


def _looked_at(out: Path) -> bool:
    """Whether the file ends in half a line. Raises ValueError if any whole line is no JSON."""
    *whole, rest = (out.read_bytes() if out.exists() else b"").split(b"\n")
    for line in whole:
        json.loads(line)
    return bool(rest)


def command(source: Path, out: Path) -> list[str]:
    """How a run is started."""
    program = [sys.executable, "-m", "tests.app.batch.slow_program", "answer", str(source)]
    return [*program, "--out", str(out), "--parallel", "2"]


def environment(folder: Path) -> dict[str, str]:
    """In which environment, with all that it reads and writes in the folder."""
    ours = {
        "SCRIBE_COURSES_FOLDER": str(folder / "courses"),
        "SCRIBE_CACHE": str(folder / "cache"),
        "SCRIBE_ANSWER_HINTS": "false",
        "SLOW_DELAY": str(DELAY),
        "SLOW_ASKED": str(folder / "asked"),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    return {**os.environ, **ours}


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def main(argv: list[str] | None = None) -> int:
    """Print what was found, and return 0 if nothing was lost, wrong or there twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--rows", type=int, default=200)
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        courses(Path(name) / "courses")
        found = killed_and_resumed(Path(name), given.kills, given.rows)
    lost = {f"q{number}" for number in range(given.rows)} - set(found.ids)
    twice = len(found.ids) - len(set(found.ids))
    told: dict[str, Any] = {"kills": found.kills, "midway": found.kills_midway, "torn": found.torn, "lost": len(lost)}
    print(json.dumps({**told, "twice": twice, "wrong": len(found.wrong), "code": found.code, "asked": found.asked}))
    return 0 if not lost and not twice and not found.wrong and found.code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
