"""Self-Refine (Madaan et al. 2023, arXiv:2303.17651): a draft, the model's own advice on it, a better turn.

One iteration, as the paper's. Its authors' code shows draft and advice alone to the last call; here all three calls see
task and dialogue, as Madaan et al. have it.
"""

from dataclasses import dataclass

from scribe.tutor import prompts
from scribe.tutor.session import Candidate, TutoringSession, TutorTurn
from scribe.tutor.speaking import Speaker

ADVICE = 1000
"""Number of the draw that is the advice, so that no seed is used twice."""


@dataclass(frozen=True, slots=True)
class SelfRefineTutor:
    """Three calls a turn."""

    speaker: Speaker
    name: str = "self-refine"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The refined turn, or the draft if nothing could be said after it. Raises BackendError."""
        draft = self.speaker.say(session, seed, watched=False)
        asked = prompts.text("feedback.md").format(draft=draft.text)
        advice = self.speaker.note(session, seed, (asked,), draw=ADVICE)
        asked = prompts.text("refine.md").format(draft=draft.text, feedback=advice.text)
        said = self.speaker.say(session, seed, asked=(asked,), draw=1)
        use = draft.use + advice.use + said.use
        best = said if said.text else draft
        return TutorTurn(best.text, best.thought, (Candidate(draft.text), Candidate(said.text)), use=use)
