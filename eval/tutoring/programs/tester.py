"""A task's tests against programs, each text run once: results are kept by content, in memory and in a file."""

import hashlib
import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from data.tasks.checking import run_code
from data.tasks.format import CodingTask
from eval.lines import parse_line
from eval.tutoring.programs.appending import LineFile
from eval.tutoring.programs.dependencies import measure_recall
from eval.tutoring.programs.trials import run_trials
from scribe.sandbox.result import CaseResult, SuiteResult


@dataclass(frozen=True, slots=True)
class TestedProgram:
    """A line of the file: a program, what identifies it with its task, and what the tests said.

    cases: of every test, where it was run to be read; else only whether all passed is known.
    """

    id: str
    task: str
    code: str
    passed: bool
    recall: float
    cases: tuple[CaseResult, ...] = ()


_TESTED = TypeAdapter(TestedProgram)


class ProgramTester:
    """Runs programs in the sandbox, and keeps what came of them; threads may ask at once.

    file: where results are kept between runs, if named. Raises RecordError for a file that holds something else.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, TestedProgram] = {}
        self._file = None if file is None else LineFile(file)
        for where, line in self._file.read() if self._file is not None else ():
            tested = parse_line(line, _TESTED, where)
            self._known[tested.id] = tested

    def examine(self, task: CodingTask, code: str) -> SuiteResult:
        """Every test of one program, each in a process of its own. Raises SandboxMissing."""
        known = self._known.get(identify_program(task, code))
        if known is None or not known.cases:
            result = run_code(task, code)
            known = self._keep(task, code, result.passed, result.cases)
        return SuiteResult(known.cases)

    def try_programs(self, task: CodingTask, codes: Sequence[str]) -> list[TestedProgram]:
        """Whether each program passes all tests, in order. Raises SandboxMissing."""
        new = [code for code in dict.fromkeys(codes) if identify_program(task, code) not in self._known]
        for code, case in zip(new, run_trials(task, new), strict=True):
            if case.passed or case.reason == "unreached":
                self.examine(task, code)  # what passes is told by tests that cannot disturb each other
            else:
                self._keep(task, code, False)
        return [self._known[identify_program(task, code)] for code in codes]

    def adopt(self, programs: Iterable[TestedProgram]) -> None:
        """Keep what another tester found."""
        for program in programs:
            if program.id not in self._known:
                self._put(program)

    def find(self, id: str) -> TestedProgram:
        """A program that was tested. Raises KeyError."""
        return self._known[id]

    def _keep(self, task: CodingTask, code: str, passed: bool, cases: Iterable[CaseResult] = ()) -> TestedProgram:
        id = identify_program(task, code)
        tested = TestedProgram(id, task.id, code, passed, measure_recall(task, code), tuple(cases))
        self._put(tested)
        return tested

    def _put(self, tested: TestedProgram) -> None:
        with self._lock:
            self._known[tested.id] = tested
            if self._file is not None:
                self._file.append(json.dumps(asdict(tested), ensure_ascii=False))


def identify_program(task: CodingTask, code: str) -> str:
    """16 digits of the SHA-256 of a program with the package and tests that it is run with."""
    whole = json.dumps([sorted(task.place(code).items()), task.tests], ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]
