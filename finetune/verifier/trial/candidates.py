"""Choosing among candidates of differing quality, which the varied tutor draws: what a chooser is worth, by itself.

No language model takes part. The candidates are the same whoever chooses; students who come to differ hear others.
"""

from collections.abc import Callable
from dataclasses import dataclass

from eval.tutoring.students.learning import Listening
from eval.tutoring.students.student import Level, StudentState, TutoredStudent
from finetune.verifier.varied_tutor import VariedTutor
from scribe.tutor.session import Candidate, StudentTurn, TutoringSession, TutorTurn
from scribe.tutor.speaking import TurnDraft, mix_seed
from scribe.verify.choosing import ChosenDraft, Chooser, draw_and_choose, find_best
from scribe.verify.tracing import Tracer


@dataclass(frozen=True, slots=True)
class CandidateTutor:
    """Says one of `candidates` turns of the varied tutor, the one that the chooser takes. tracer: of its belief."""

    name: str
    chooser: Chooser
    candidates: int
    tracer: Tracer | None = None

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The chosen turn."""
        varied = VariedTutor()

        def draw(number: int) -> TurnDraft:
            return TurnDraft(varied.speak(session, mix_seed(seed, number)).text)

        choice = draw_and_choose(draw, self.candidates, self.chooser, session, seed, threads=1)
        belief = dict(self.tracer.trace(session)) if self.tracer else {}
        pairs = zip(choice.drafts, choice.rewards or (None,) * len(choice.drafts), strict=True)
        candidates = tuple(Candidate(draft.text, reward) for draft, reward in pairs)
        return TutorTurn(choice.drafts[choice.place].text, "", candidates, belief, choice.use)


class ObservedStudent:
    """A student whose state can be seen from outside, by the choice that is allowed to."""

    def __init__(self, student: TutoredStudent) -> None:
        self._student = student
        self.state = student.begin()

    @property
    def kind(self) -> str:
        """As of the student."""
        return self._student.kind

    @property
    def level(self) -> Level:
        """As of the student."""
        return self._student.level

    def begin(self) -> StudentState:
        """The student before the session."""
        self.state = self._student.begin()
        return self.state

    def inform(self) -> StudentState:
        """The student who has been given all that there is to know."""
        self.state = self._student.inform()
        return self.state

    def reply(self, session: TutoringSession, state: StudentState) -> tuple[StudentTurn, StudentState]:
        """What the student says. Raises BackendError or SandboxMissing."""
        turn, self.state = self._student.reply(session, state)
        return turn, self.state

    def attempt(self, session: TutoringSession, state: StudentState, number: int) -> str:
        """A program for the target. Raises BackendError."""
        return self._student.attempt(session, state, number)


@dataclass(frozen=True, slots=True)
class TrueStateChoice:
    """The turn after which the student will know most, by what they truly know and how they learn: a bound.

    see: the student's state now. Each reward is the expected share of the task's components that become known.
    """

    listening: Listening
    see: Callable[[], StudentState]
    name: str = "true state"

    def choose(self, session: TutoringSession, drafts: tuple[TurnDraft, ...], seed: int) -> ChosenDraft:
        """The first of those that teach most."""
        rewards = tuple(self._value(session, draft.text) for draft in drafts)
        return ChosenDraft(drafts, find_best(rewards), rewards)

    def _value(self, session: TutoringSession, text: str) -> float:
        state, brief = self.see(), session.brief
        treated = self.listening.list_treated(self.listening.measure_fit(text, brief))
        chances = self.listening.measure_chances(treated, state.asked)
        gained = sum(chance for name, chance in chances.items() if name not in (state.known or ()))
        return gained / len(brief.components)
