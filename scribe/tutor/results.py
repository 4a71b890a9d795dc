"""What the tests said of a student's code, as a text that student, tutor and tracing read."""

import re
from collections.abc import Iterable

from scribe.sandbox.result import CaseResult

PASSED, FAILED = "passed", "failed"
_LINE = re.compile(rf"^(test_\w+): ({PASSED}|{FAILED})", re.MULTILINE)
_SHOWN = 200
"""Characters of what a failing test says."""


def write_results(cases: Iterable[CaseResult]) -> str:
    """A line for each test: its name, whether it passed, and of a failing one what it says."""
    return "\n".join(f"{case.name}: {PASSED}" if case.passed else _write_failure(case) for case in cases)


def read_results(text: str) -> dict[str, bool]:
    """Whether each test passed, of a text that `write_results` wrote."""
    return {name: said == PASSED for name, said in _LINE.findall(text)}


def _write_failure(case: CaseResult) -> str:
    said = " ".join(case.message.split())[:_SHOWN] or case.reason
    return f"{case.name}: {FAILED} ({said})"
