"""One person's session on one task: what is said, the code in their file, the tests, all kept after each step."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from data.tasks.brief import make_brief
from data.tasks.format import CodingTask
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import write_text
from scribe.sandbox.result import SuiteResult
from scribe.sandbox.running import run_suite
from scribe.tutor.records import SavedSession, load_session, pack_turns, save_session
from scribe.tutor.results import write_results
from scribe.tutor.session import Language, StudentTurn, Tutor, TutoringSession, TutorTurn
from scribe.tutor.solution_guard import SolutionGuard
from scribe.verify.tracing import Tracer


@dataclass(slots=True)
class Lesson:
    """A session that goes on. path: where it is kept; code: the file in which the student writes the target."""

    task: CodingTask
    tutor: Tutor
    tracer: Tracer
    saved: SavedSession
    path: Path
    code: Path = field(init=False)

    def __post_init__(self) -> None:
        self.code = self.path.with_suffix(".py")
        if not self.code.exists():
            write_text(self.code, self.task.stub)

    @property
    def session(self) -> TutoringSession:
        """The dialogue so far."""
        return self.saved.session

    @property
    def awaits_tutor(self) -> bool:
        """Whether the tutor is next."""
        turns = self.session.turns
        return not turns or isinstance(turns[-1], StudentTurn)

    @property
    def news(self) -> bool:
        """Whether there is code or a run of the tests that the tutor has not seen."""
        return bool(self.saved.results) or self.read_code() != self._shown_code()

    def speak(self) -> TutorTurn:
        """The tutor's next turn. Raises BackendError; then the session stands as it was."""
        turn = self.tutor.speak(self.session, self.saved.seed)
        self._keep(self.session.then(turn))
        return turn

    def hear(self, text: str) -> None:
        """Take what the student says, with their code and results where these are new."""
        code = self.read_code() if self.news else ""
        self._keep(self.session.then(StudentTurn(text, code, self.saved.results)), results="")

    def run_tests(self) -> SuiteResult:
        """The tests against the student's file. Raises SandboxMissing, or UsageError for an unreadable file."""
        result = run_suite(self.task.place(self.read_code() or self.task.stub), self.task.tests)
        self.saved = replace(self.saved, results=write_results(result.cases))
        save_session(self.path, self.saved)
        return result

    def read_code(self) -> str:
        """What the student has written; empty while it is the task's stub. Raises UsageError."""
        try:
            text = self.code.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the file with your code, {self.code}, cannot be read: {error}") from error
        return "" if text.strip() == self.task.stub.strip() else text

    def trace(self) -> dict[str, float]:
        """For each component the probability that the student knows it, as the tracer has it now."""
        return dict(self.tracer.trace(self.session))

    def _shown_code(self) -> str:
        turns = (turn for turn in reversed(self.session.turns) if isinstance(turn, StudentTurn) and turn.code)
        return next((turn.code for turn in turns), "")

    def _keep(self, session: TutoringSession, results: str | None = None) -> None:
        kept = self.saved.results if results is None else results
        self.saved = replace(self.saved, turns=pack_turns(session), results=kept)
        save_session(self.path, self.saved)


def begin_or_go_on(
    path: Path, task: CodingTask, language: Language, tutor: Tutor, model: dict[str, str], seed: int, fresh: bool
) -> SavedSession:
    """The session in the file, or a new one if there is none or a fresh one is wanted.

    Raises UsageError for a session on another task or in another language, RecordError for one that is not readable.
    """
    if fresh or not path.exists():
        return SavedSession(make_brief(task, language), (), tutor.name, model, seed)
    saved = load_session(path)
    found = saved.brief.task, saved.brief.language
    if found != (task.id, language):
        raise UsageError(f"{path} holds a session on {found[0]} in {found[1]}; name another file with --session")
    return replace(saved, tutor=tutor.name, model=model, seed=seed)


def make_guard(task: CodingTask) -> SolutionGuard:
    """The guard that keeps the reference from being said."""
    return SolutionGuard(tuple(task.part(each.name) for each in task.components), task.reference)
