"""What a turn is truly worth to a student whose knowledge is known: the value that a verifier can only estimate.

It stands above every trained verifier as the oracle does above every tutor. Nobody knows this of a person.
"""

from collections.abc import Sequence

from eval.tutoring.students.knowledge_driven import KnowledgeDrivenStudent
from eval.tutoring.students.learning import Listening
from eval.tutoring.students.student import StudentState
from scribe.tutor.session import TutoringSession
from scribe.verify.verifying import ValuedTurns


class KnowledgeVerifier:
    """Values candidates for one session of one student, by their true state, which it follows turn by turn."""

    def __init__(self, student: KnowledgeDrivenStudent, listening: Listening) -> None:
        self._student, self._listening = student, listening
        self._states = [student.begin()]

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """For each candidate the expected share of the task's components that become known. Raises SandboxMissing."""
        state = self._find_state(session)
        return ValuedTurns(tuple(self._expect(text, session, state) for text in candidates))

    def _expect(self, text: str, session: TutoringSession, state: StudentState) -> float:
        treated = self._listening.list_treated(self._listening.measure_fit(text, session.brief))
        chances = self._listening.measure_chances(treated, state.asked)
        gain = sum(chance for name, chance in chances.items() if name not in (state.known or ()))
        return gain / len(session.brief.components)

    def _find_state(self, session: TutoringSession) -> StudentState:
        """The student after the session's last round: a student's turn depends on what was said alone."""
        for rounds in range(len(self._states), session.rounds + 1):
            heard = TutoringSession(session.brief, session.turns[: 2 * rounds - 1])
            self._states.append(self._student.reply(heard, self._states[-1])[1])
        return self._states[session.rounds]
