"""What a run may use, and what came of it."""

from dataclasses import dataclass
from typing import Literal

from scribe.plumbing.errors import ScribeError

Reason = Literal["passed", "failed", "error", "timeout", "memory", "ended", "unreached"]
"""failed: an assertion; error: another exception; ended: the process went away; unreached: the run was over before."""


class SandboxMissing(ScribeError):
    """This machine has no sandbox, so nothing is run; the message says how to get one."""


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """What one run may use.

    cpu_seconds, seconds: computing and waiting time of one test; total_seconds: of the whole run;
    memory: bytes of one process; total_memory: bytes of all; processes: threads included;
    disk: bytes of all files; output: characters kept of what one test prints.
    """

    cpu_seconds: int = 2
    seconds: float = 10.0
    total_seconds: float = 60.0
    memory: int = 256 << 20
    total_memory: int = 512 << 20
    processes: int = 16
    disk: int = 16 << 20
    output: int = 4000


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One test. `message` shows the line that failed and its values, or the exception; `output` is what was printed."""

    name: str
    reason: Reason
    message: str = ""
    output: str = ""

    @property
    def passed(self) -> bool:
        """Whether the test ran to its end."""
        return self.reason == "passed"


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """All tests in their order, and whether the run or one of its tests met a limit."""

    cases: tuple[CaseResult, ...]
    timed_out: bool = False
    out_of_memory: bool = False
    output_cut: bool = False

    @property
    def passed(self) -> bool:
        """Whether there are tests and all of them passed."""
        return bool(self.cases) and all(case.passed for case in self.cases)

    @property
    def failed_names(self) -> tuple[str, ...]:
        """The tests that did not pass."""
        return tuple(case.name for case in self.cases if not case.passed)
