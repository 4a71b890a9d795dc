"""Doubles for the tests of the protocol, and small sessions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from data.tasks.brief import make_brief
from data.tasks.format import CodingTask
from data.tasks.reading import find_task
from eval.tutoring.programs.tester import ProgramTester, TestedProgram, identify_program
from eval.tutoring.protocol.record import CodingTest, DialogueRound, MeasuredSession, ProgramResult, SessionKey
from eval.tutoring.students.student import Level
from scribe.sandbox.result import CaseResult, Reason, SuiteResult
from scribe.tutor.session import Language, StudentTurn, TaskBrief, TutoringSession, TutorTurn


class ScriptedTester(ProgramTester):
    """Needs no sandbox: only the reference passes, and what fails it fails all tests."""

    def __init__(self, failing: Reason = "failed") -> None:
        super().__init__()
        self.failing: Reason = failing
        self.asked: list[str] = []

    def examine(self, task: CodingTask, code: str) -> SuiteResult:
        self.asked.append(code)
        right = code == task.reference
        return SuiteResult(tuple(CaseResult(name, "passed" if right else self.failing) for name in task.test_names))

    def try_programs(self, task: CodingTask, codes: Sequence[str]) -> list[TestedProgram]:
        return [
            TestedProgram(identify_program(task, code), task.id, code, code == task.reference, 0.5) for code in codes
        ]


@dataclass
class ScriptedTutor:
    """Says given turns, and the last one again; remembers how often it spoke."""

    turns: Sequence[str]
    name: str = "scripted"
    seen: list[TutoringSession] = field(default_factory=list)

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        self.seen.append(session)
        return TutorTurn(self.turns[min(session.rounds, len(self.turns) - 1)])


def open_task(language: Language = "English") -> tuple[CodingTask, TaskBrief]:
    """A task with seven components, and its brief."""
    task = find_task("final-grade")
    return task, make_brief(task, language)


def record(
    tutor: str, task: str, level: Level, passes: Sequence[int], recalls: Sequence[float] = (), seed: int = 0
) -> MeasuredSession:
    """A session of which only the tests are of interest: of each round how many of ten programs pass."""
    tests = tuple(
        CodingTest(at, tuple(ProgramResult(f"{at}", n < count, (recalls or [1.0])[0]) for n in range(10)))
        for at, count in enumerate(passes)
    )
    rounds = tuple(DialogueRound(TutorTurn("a b c"), StudentTurn("d"), ()) for _ in passes[1:])
    return MeasuredSession(SessionKey(tutor, task, level, seed), "knowledge", "English", "rounds", (), rounds, tests)
