"""TRAVER (section 3): trace what the student knows, sample candidates, say the one that is valued most.

The variants leave one of the two out. The guidelines are the same in all of them: the paper's ablation of tracing
exchanges them too, which confounds it.
"""

from dataclasses import dataclass

from scribe.tutor.session import TutoringSession, TutorTurn
from scribe.tutor.speaking import Speaker, TurnDraft
from scribe.verify.choosing import Chooser, draw_and_choose
from scribe.verify.tracing import Tracer

CANDIDATES = 10
"""Utterances that are sampled each turn (the authors' script)."""


@dataclass(frozen=True, slots=True)
class TraverTutor:
    """A belief, then `candidates` turns drawn at once, of which the chooser takes one.

    tracer: None tells the model nothing of what the student knows. chooser: None draws one turn only. threads:
    candidates that are drawn at a time.
    """

    speaker: Speaker
    tracer: Tracer | None
    chooser: Chooser | None
    candidates: int = CANDIDATES
    threads: int = 4
    name: str = "traver"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The chosen turn. Raises BackendError."""
        belief = dict(self.tracer.trace(session)) if self.tracer else None
        if self.chooser is None or self.candidates == 1:
            said = self.speaker.say(session, seed, belief)
            return TutorTurn(said.text, said.thought, belief=belief or {}, use=said.use)

        def draw(number: int) -> TurnDraft:
            return self.speaker.say(session, seed, belief, draw=number, watched=False)

        choice = draw_and_choose(draw, self.candidates, self.chooser, session, seed, self.threads)
        return choice.as_turn(belief or {})


def build_traver(speaker: Speaker, tracer: Tracer, chooser: Chooser, candidates: int = CANDIDATES) -> TraverTutor:
    """Tracing and a chooser: with a verifier that is TRAVER, with another chooser one of the paper's B1 and B2."""
    return TraverTutor(speaker, tracer, chooser, candidates, name=_name_by(chooser))


def build_without_tracing(speaker: Speaker, chooser: Chooser, candidates: int = CANDIDATES) -> TraverTutor:
    """The verifier alone."""
    return TraverTutor(speaker, None, chooser, candidates, name="traver-no-tracing")


def build_without_verifier(speaker: Speaker, tracer: Tracer) -> TraverTutor:
    """Tracing alone, one turn drawn."""
    return TraverTutor(speaker, tracer, None, 1, name="traver-no-verifier")


def _name_by(chooser: Chooser) -> str:
    return "traver" if chooser.name == "verifier" else f"traver-{chooser.name}"
