"""The batch's part of the soak: files of questions answered again and again, each run killed at random moments."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.app.batch.questions import row
from tests.faults.chat_process import ROOT
from tests.killing.scripted_model import answer_to

UNFINISHED = (1, 2, 3)
"""Exit codes after which the same command goes on: broken off by a full disk, or before it began; rows that failed."""


@dataclass(slots=True)
class BatchSoak:
    """Rounds of `scribe answer` over some rows. wrong: what must not be: rows lost, doubled or of another question."""

    source: Path
    place: Path
    model: str
    dice: random.Random
    rows: int = 300
    rounds: int = 0
    kills: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Answer the file again and again until it is `over`; the last round is let come to its end."""
        self.source.write_text("".join(f"{json.dumps(row(number))}\n" for number in range(self.rows)))
        while not self.over.is_set():
            self._answer_all(self.place / "answers.jsonl")

    def _answer_all(self, out: Path) -> None:
        """One round: the file is answered to its end, however often that is broken off."""
        code, tries = -1, 0
        while code != 0:
            code = self._run_once(out)
            self.codes[code] += 1
            tries += 1
            if code not in (0, *UNFINISHED, -signal.SIGKILL) or (self.over.is_set() and tries > 60):
                self.wrong.append(f"a batch ended with {code}")
                return
            if code in UNFINISHED:
                self.over.wait(1.0)
        told = Counter((line["id"], line["answer"]) for line in map(json.loads, out.read_text().splitlines()))
        wanted = Counter((row(n)["id"], answer_to(row(n)["question"])) for n in range(self.rows))
        self.wrong += [f"lost {each}" for each in wanted - told] + [f"surplus {each}" for each in told - wanted]
        self.rounds += 1
        for path in self.place.glob("answers.jsonl*"):
            path.unlink()

    def _run_once(self, out: Path) -> int:
        """The exit code of one run, killed after a random while more often than not."""
        how: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": self.source.parent}
        ours = {"SCRIBE_MODEL_BASE_URL": self.model, "PYTHONPATH": str(ROOT)}
        ours |= {"SCRIBE_COURSES_FOLDER": str(self.source.parent / "courses")}
        command = [sys.executable, "-m", "app.cli", "answer", str(self.source), "--out", str(out), "--retry-failed"]
        command += ["--backend", "api", "--model", "scripted", "--parallel", "4"]
        with subprocess.Popen(command, env={**os.environ, **ours}, **how) as process:
            if not self.over.is_set() and self.dice.random() < 0.7:
                try:
                    return process.wait(self.dice.uniform(0.5, 8))
                except subprocess.TimeoutExpired:
                    process.kill()
                    self.kills += 1
            return process.wait()
