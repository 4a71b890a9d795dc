"""A `scribe answer` that can be started again and again: its questions, its file, its model."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.bench.killed import Right, Row
from eval.bench.recorded import questions
from eval.bench.scripted_server import ScriptedServer, answer_to


@dataclass(frozen=True, slots=True)
class Batch:
    """What is run. flags: for the model. environment: what the program needs besides ours.

    right: whether an answer is this question's, where that can be told. pace: seconds for a row, to begin with.
    """

    rows: Sequence[Row]
    folder: Path
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    right: Right = lambda question, answer: True
    pace: float = 0.01

    @property
    def out(self) -> Path:
        return self.folder / "out.jsonl"

    @property
    def size(self) -> int:
        """Bytes that were written so far."""
        return self.out.stat().st_size if self.out.exists() else 0

    def start(self, **how: Any) -> "subprocess.Popen[Any]":
        """Begin a run, or go on with it; silent, if `how`, which goes to Popen, says nothing else."""
        source = self.folder / "in.jsonl"
        if not source.exists():
            source.write_text("".join(json.dumps(row) + "\n" for row in self.rows), encoding="utf-8")
        program = [sys.executable, "-m", "app.cli", "answer", str(source), "--out", str(self.out), *self.flags]
        ours = {"PYTHONPATH": str(Path(__file__).parents[2])}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(program, **{**quiet, "env": {**os.environ, **ours, **self.environment}, **how})


def rows(count: int) -> list[Row]:
    """Questions of as many students as need be."""
    asked = questions(16, -(-count // 16))[:count]
    return [{name: getattr(each, name) for name in ("id", "course", "student", "question")} for each in asked]


def scripted(asked: Sequence[Row], folder: Path, server: ScriptedServer, more: tuple[str, ...] = ()) -> Batch:
    """A batch whose model answers by the question, and is behind an address of this machine."""
    flags = ("--backend", "api", "--model", "scripted", *more)
    where = {"SCRIBE_MODEL_BASE_URL": server.url}
    return Batch(asked, folder, flags, where, lambda question, answer: answer == answer_to(question), server.delay)
