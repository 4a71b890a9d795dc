"""Best of N without a language model: candidates of the varied tutor, of which a chooser takes one.

It shows what choosing among candidates brings, and what a verifier is worth, at no cost of a model. Its candidates are
the task's own explanations, whole, cut or amid idle talk; it is no tutor for a student.
"""

from dataclasses import dataclass

from finetune.verifier.varied_tutor import VariedTutor
from scribe.tutor.session import TutoringSession, TutorTurn
from scribe.tutor.speaking import TurnDraft
from scribe.verify.choosing import Chooser, draw_and_choose


@dataclass(frozen=True, slots=True)
class DrawingTutor:
    """Of `candidates` drawn turns it says the chosen one; with one candidate it is the varied tutor."""

    chooser: Chooser
    candidates: int
    name: str

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The chosen turn. Raises BackendError if the chooser asks a model."""
        varied = VariedTutor()

        def draw(number: int) -> TurnDraft:
            return TurnDraft(varied.draw(session, seed, number))

        return draw_and_choose(draw, self.candidates, self.chooser, session, seed, threads=1).as_turn({})
