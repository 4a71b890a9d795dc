"""The frameworks answer what was recorded: each in a process of its own, with a server of its own."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from data import bundle
from eval.bench.frameworks import script
from eval.bench.frameworks.contended import Contended
from eval.bench.frameworks.script import Script
from eval.bench.recorded import Recorded
from scribe.errors import BackendError, UsageError
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

__all__ = ["CONTENDERS", "Contended", "Framework", "contend"]

ROOT = Path(__file__).parents[3]
CONTEXT = 8192
"""Tokens that the server's model has room for: twice ours, since smolagents' prompts are longer than 4096."""


@dataclass(frozen=True, slots=True)
class Framework:
    """A contender: its name, the module that its Python runs, and how many threads ask at once."""

    name: str
    module: str
    threads: int = 1


_HERE = __package__
CONTENDERS = (
    Framework("smolagents", f"{_HERE}.with_smolagents"),
    Framework("LangGraph", f"{_HERE}.with_langgraph"),
    Framework("LangGraph, 4 at once", f"{_HERE}.with_langgraph", 4),
)


def contend(
    record: Recorded,
    model: Path,
    python: Path,
    threads: int = 2,
    contenders: Sequence[Framework] = CONTENDERS,
    context: int = CONTEXT,
) -> Iterator[Contended]:
    """What each contender did, one after the other.

    python: the frameworks' own, see the package. threads: of the processor, for the model.
    Raises UsageError if python is missing, BackendError with the last words of a process that failed, or if a
    contender did anything else than what was recorded.
    """
    if not python.is_file():
        raise UsageError(f"there is no Python at {python}; eval/bench/frameworks/__init__.py says how to make it")
    played = scripted(record)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.json"
        path.write_text(script.to_json(played), encoding="utf-8")
        for framework in contenders:
            began = time.perf_counter()
            print(f"{framework.name}: {len(played.parts)} questions …", file=sys.stderr, flush=True)
            with served(path, model, threads, context) as address:
                done = _contended(framework, python, path, address)
            print(f"{framework.name}: {time.perf_counter() - began:.0f} s in all", file=sys.stderr, flush=True)
            yield as_recorded(done, played)


def scripted(record: Recorded) -> Script:
    """The record as the server's script. Raises UsageError if it is not of one course."""
    courses = {each.written.course for each in record.answered}
    if len(courses) != 1:
        raise UsageError(f"the questions must be of one course, not of {', '.join(sorted(courses)) or 'none'}")
    course = bundle.find(courses.pop())
    box = make_toolbox(course, record.answered[0].written.student, VectorStore(MiniLM()))
    tools = tuple({"name": t.name, "description": t.description, "parameters": t.parameters} for t in box.tools)
    parts = (script.part(each.done, [len(turn.wrote) for turn in each.turns]) for each in record.answered)
    return Script(course.id, tools, tuple(parts))


@contextmanager
def served(path: Path, model: Path, threads: int, context: int) -> Iterator[str]:
    """The address of a server that replays this script. Raises BackendError if it does not start."""
    given = ["--model", str(model), "--threads", str(threads), "--context", str(context)]
    command = [sys.executable, "-m", f"{_HERE}.server", str(path), *given]
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryFile("w+") as heard,
        subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=heard) as server,
    ):
        assert server.stdin is not None and server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            if not address:
                raise BackendError(f"the bench's server did not start with {model}: {_last(heard)}")
            yield address
        finally:
            server.kill()


def _contended(framework: Framework, python: Path, path: Path, address: str) -> Contended:
    command = [str(python), "-m", framework.module, str(path), "--server", address]
    # Nothing else of ours: proxies, keys and tracing switches would change what is measured.
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
    command += ["--threads", str(framework.threads)]
    done = subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackendError(f"{framework.name} failed: {done.stderr[-2000:].strip()}")
    return Contended.of(framework.name, json.loads(done.stdout.splitlines()[-1]))


def as_recorded(done: Contended, played: Script) -> Contended:
    """The same. Raises BackendError unless it is what the script says: every turn once, every token, every answer."""
    replies = [reply for part in played.parts for reply in part.replies]
    did = done.requests, done.written
    due = len(replies), sum(reply.tokens for reply in replies)
    if did != due:
        raise BackendError(f"{done.name} had (requests, tokens written) {did}; the script has {due}")
    wrong = [got for got, part in zip(done.answers, played.parts, strict=True) if got != part.replies[-1].answer]
    if wrong:
        raise BackendError(f"{done.name} gave {len(wrong)} answers that are not in the script: {wrong[0]!r}")
    return done


def _last(heard: IO[str]) -> str:
    heard.seek(0)
    return heard.read()[-2000:].strip()
