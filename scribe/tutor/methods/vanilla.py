"""Vanilla Instruct (section 5.1): the model is told how to tutor and what the task is, and says one turn."""

from dataclasses import dataclass

from scribe.tutor.session import TutoringSession, TutorTurn
from scribe.tutor.speaking import Speaker


@dataclass(frozen=True, slots=True)
class VanillaTutor:
    """One call a turn."""

    speaker: Speaker
    name: str = "vanilla"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The model's turn. Raises BackendError."""
        said = self.speaker.say(session, seed)
        return TutorTurn(said.text, said.thought, use=said.use)
