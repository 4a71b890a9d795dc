"""TreeInstruct (Kargupta et al. 2024, arXiv:2406.11709) as the paper's baseline runs it: state, questions, turn.

Like the paper's, it keeps neither a tree nor a space of states: where the student stands is estimated anew each turn,
and the last sets of questions are shown so that they are not asked again. They are the `thought` of its turns.
"""

from dataclasses import dataclass

from scribe.tutor import prompts
from scribe.tutor.session import TutoringSession, TutorTurn
from scribe.tutor.speaking import Speaker

STATE, QUESTIONS = 1000, 1001
"""Numbers of the draws that are for the tutor itself, so that no seed is used twice."""
REMEMBERED = 3
"""Sets of questions that are shown again."""


@dataclass(frozen=True, slots=True)
class TreeInstructTutor:
    """Three calls a turn."""

    speaker: Speaker
    name: str = "tree-instruct"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The turn that asks one of the planned questions. Raises BackendError."""
        state = self.speaker.note(session, seed, (prompts.text("state.md"),), draw=STATE)
        earlier = [turn.thought for turn in session.turns if isinstance(turn, TutorTurn)][-REMEMBERED:]
        asked = prompts.text("questions.md").format(state=state.text, earlier="\n\n".join(earlier) or "-")
        questions = self.speaker.note(session, seed, (asked,), draw=QUESTIONS)
        asked = prompts.text("ask.md").format(state=state.text, questions=questions.text)
        said = self.speaker.say(session, seed, asked=(asked,))
        return TutorTurn(said.text, questions.text, use=state.use + questions.use + said.use)
