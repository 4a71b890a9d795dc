"""One person's session on one task: what is said, their code, the tests, all kept after each step."""

from dataclasses import dataclass, replace

from app.tutoring.keeping import LessonGone, LessonShelf
from data.tasks.brief import make_brief
from data.tasks.format import CodingTask
from scribe.plumbing.errors import UsageError
from scribe.sandbox.result import SandboxLimits, SuiteResult
from scribe.sandbox.running import run_suite
from scribe.tutor.records import SavedSession, pack_turns
from scribe.tutor.results import write_results
from scribe.tutor.session import Language, StudentTurn, Tutor, TutoringSession, TutorTurn
from scribe.tutor.solution_guard import SolutionGuard
from scribe.verify.tracing import Tracer


@dataclass(slots=True)
class Lesson:
    """A session that goes on. shelf: where it is kept, with the code that the student writes."""

    task: CodingTask
    tutor: Tutor
    tracer: Tracer
    saved: SavedSession
    shelf: LessonShelf
    limits: SandboxLimits = SandboxLimits()

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
        return bool(self.saved.results) or self.read_code() != find_shown_code(self.session)

    def speak(self) -> TutorTurn:
        """The tutor's next turn. Raises BackendError or TurnStopped; then the session stands as it was."""
        turn = self.tutor.speak(self.session, self.saved.seed)
        self._keep(turn)
        return turn

    def hear(self, text: str) -> None:
        """Take what the student says, with their code and results where these are new."""
        code = self.read_code() if self.news else ""
        self._keep(StudentTurn(text, code, self.saved.results), results="")

    def run_tests(self) -> SuiteResult:
        """The tests against the student's code. Raises SandboxMissing, or UsageError for an unreadable file."""
        result = run_suite(self.task.place(self.read_code() or self.task.stub), self.task.tests, self.limits)
        written = write_results(result.cases)
        self.saved = self.shelf.change(lambda now: replace(now or self.saved, results=written))
        return result

    def read_code(self) -> str:
        """What the student has written; empty while it is the task's stub. Raises UsageError."""
        text = self.shelf.read_code()
        return "" if text.strip() == self.task.stub.strip() else text

    def trace(self) -> dict[str, float]:
        """For each component the probability that the student knows it, as the tracer has it now."""
        return dict(self.tracer.trace(self.session))

    def _keep(self, turn: TutorTurn | StudentTurn, results: str | None = None) -> None:
        """Put a turn behind the others. Raises LessonGone if these are not there any more."""

        def change(now: SavedSession | None) -> SavedSession:
            if (now.turns if now else ()) != self.saved.turns:
                raise LessonGone("this lesson was begun anew, deleted or gone on with elsewhere meanwhile")
            left = results if results is not None else now.results if now else ""
            return replace(self.saved, turns=pack_turns(self.session.then(turn)), results=left)

        self.saved = self.shelf.change(change)


def find_shown_code(session: TutoringSession) -> str:
    """The code that the tutor saw last; empty if it saw none."""
    turns = (turn for turn in reversed(session.turns) if isinstance(turn, StudentTurn) and turn.code)
    return next((turn.code for turn in turns), "")


def begin_or_go_on(
    shelf: LessonShelf, task: CodingTask, language: Language, tutor: str, model: dict[str, str], seed: int, fresh: bool
) -> SavedSession:
    """The session that is kept, or a new one if there is none or a fresh one is wanted. tutor: its name.

    Raises UsageError for a session on another task or in another language, RecordError for one that is not readable.
    """
    new = SavedSession(make_brief(task, language), (), tutor, model, seed)
    if fresh:
        return shelf.change(lambda now: new)
    saved = shelf.load()
    if saved is None:
        return new
    found = saved.brief.task, saved.brief.language
    if found != (task.id, language):
        raise UsageError(f"{shelf.name} holds a session on {found[0]} in {found[1]}; name another file with --session")
    return replace(saved, tutor=tutor, model=model, seed=seed)


def make_guard(task: CodingTask) -> SolutionGuard:
    """The guard that keeps the reference from being said."""
    return SolutionGuard(tuple(task.part(each.name) for each in task.components), task.reference)
