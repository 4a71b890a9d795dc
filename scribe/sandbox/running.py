"""Run tests against files in the sandbox, and watch over it from outside."""

import ast
import contextlib
import json
import resource
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from scribe.sandbox.result import CaseResult, Reason, SandboxLimits, SandboxMissing, SuiteResult
from scribe.sandbox.walls import build_walls

_INSIDE = Path(__file__).with_name("inside.py")
_TICK = 0.1
"""Seconds between two looks at what the sandbox uses."""


def run_suite(files: Mapping[str, str], tests: str, limits: SandboxLimits = SandboxLimits()) -> SuiteResult:
    """Run each `test_…` function of `tests` against files of these paths and texts.

    Never raises for what the code does. Raises SandboxMissing, and then runs nothing, if there is no bubblewrap or it
    may make no namespaces; SyntaxError if the tests themselves are no Python.
    """
    names = list_tests(tests)
    job = {"files": {**files, "tests.py": tests}, "names": names, "limits": asdict(limits)}
    with build_walls(_INSIDE.read_text(encoding="utf-8"), limits) as command:
        process = subprocess.Popen(
            command.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=command.files,
            env={},
        )
        try:
            out, complaint, stopped = _wait(process, json.dumps(job).encode(), limits)
        finally:
            process.kill()
            process.wait()
    rows = [json.loads(line) for line in out.splitlines()]
    if names and not rows and stopped is None:
        said = complaint.decode("utf-8", "replace").strip()[-500:]
        raise SandboxMissing(
            f"bubblewrap could not make a sandbox, and nothing was run: {said}. It needs user namespaces "
            "(sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; "
            "in a container: run it with them allowed)"
        )
    return _gather(names, rows, stopped)


def list_tests(tests: str) -> list[str]:
    """The names of the functions `test_…` in a file's text, in order."""
    found = (node.name for node in ast.parse(tests).body if isinstance(node, ast.FunctionDef))
    return [name for name in found if name.startswith("test_")]


def _wait(process: "subprocess.Popen[bytes]", job: bytes, limits: SandboxLimits) -> tuple[bytes, bytes, Reason | None]:
    """What the sandbox wrote, what bubblewrap complained of, and which limit of the whole run it met, if any."""
    given: bytes | None = job
    stopped: Reason | None = None
    end = time.monotonic() + limits.total_seconds
    while True:
        try:
            return *process.communicate(given, timeout=_TICK), stopped
        except subprocess.TimeoutExpired:
            given = None  # it is on its way
            if stopped is None and (time.monotonic() > end or (excess := _exceeds(process.pid, limits))):
                stopped = "timeout" if time.monotonic() > end else excess
                process.kill()


def _exceeds(pid: int, limits: SandboxLimits) -> Reason | None:
    """Which limit all processes in the sandbox together have passed."""
    inside = list(_list_below(pid))
    if len(inside) > 2 * limits.processes:
        return "ended"
    return "memory" if sum(map(_resident, inside)) > limits.total_memory else None


def _list_below(pid: int) -> Iterator[int]:
    """All processes that descend from one, as far as they live; psutil would read every process of the machine."""
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, path.read_text(encoding="ascii").split()):
                yield child
                yield from _list_below(child)


def _resident(pid: int) -> int:
    """Bytes of a process that are in memory."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    return 0


def _gather(names: list[str], rows: Iterable[Mapping[str, Any]], stopped: Reason | None) -> SuiteResult:
    rows = list(rows)
    cases = [CaseResult(row["name"], row["reason"], row["message"], row["output"]) for row in rows]
    missing = [CaseResult(name, "unreached") for name in names[len(cases) :]]
    if missing and stopped is not None:
        missing[0] = replace(missing[0], reason=stopped)
    reasons = {case.reason for case in (*cases, *missing)}
    return SuiteResult((*cases, *missing), "timeout" in reasons, "memory" in reasons, any(row["cut"] for row in rows))
