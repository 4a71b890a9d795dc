"""Many programs for one task in one sandbox: a process for each, which runs the task's tests until one fails."""

from collections.abc import Sequence

from data.tasks.format import CodingTask
from scribe.sandbox.result import CaseResult, SandboxLimits
from scribe.sandbox.running import run_suite

AT_ONCE = 40
"""Programs in one sandbox; to make one takes as long as ten programs in it."""
PATIENCE = 60.0
"""Seconds that a program may wait for a busy machine; of computing time it has no more than any test."""
_TRIAL = """
from pathlib import Path

def try_program(number):
    program = Path(f"programs/{{number}}.txt").read_text(encoding="utf-8")
    Path({target!r}).write_text(program, encoding="utf-8")
    cases = {{"__name__": "cases"}}
    exec(compile(Path("programs/tests.txt").read_text(encoding="utf-8"), "cases.py", "exec"), cases)
    for name in {names!r}:
        cases[name]()

"""


def run_trials(task: CodingTask, codes: Sequence[str]) -> list[CaseResult]:
    """What became of each program, in order; passed: it passed every test. Raises SandboxMissing.

    The tests of one program share a process here, unlike in `run_suite`. A program that passes ought to be run there
    too, and one that was `unreached` has not been run at all.
    """
    results = list[CaseResult]()
    for start in range(0, len(codes), AT_ONCE):
        results += _run_some(task, codes[start : start + AT_ONCE])
    return results


def _run_some(task: CodingTask, codes: Sequence[str]) -> tuple[CaseResult, ...]:
    files = {**task.package, "programs/tests.txt": task.tests}
    for number, code in enumerate(codes):
        files[f"programs/{number}.txt"] = task.place(code)[task.target_file]
    trials = (f"def test_{number}():\n    try_program({number})\n" for number in range(len(codes)))
    tests = _TRIAL.format(target=task.target_file, names=task.test_names) + "\n".join(trials)
    limits = SandboxLimits(seconds=PATIENCE, total_seconds=PATIENCE * (1 + len(codes)))
    return run_suite(files, tests, limits).cases
