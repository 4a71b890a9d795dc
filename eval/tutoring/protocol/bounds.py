"""Tutors that need no model, between which every other should lie: one who explains by the book, one who says nothing.

They are no teaching anyone would want. The first reads out what must be known in the order of the solution, whatever
the student asks; the second is friendly and explains nothing, so that what its students gain is chance.
"""

from collections.abc import Sequence

from scribe.tutor.session import Language, TutoringSession, TutorTurn

_TALK: dict[Language, Sequence[str]] = {
    "English": ("Hello! Nice to see you.", "You are doing well.", "Take your time.", "Good, go on like this."),
    "French": ("Bonjour ! Heureux de vous voir.", "C'est bien parti.", "Prenez votre temps.", "Bien, continuez."),
}


class ExplainingTutor:
    """Reads out one component after the other, then from the beginning again."""

    name = "explainer"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """The text of the next component."""
        components = session.brief.components
        return TutorTurn(components[session.rounds % len(components)].text)


class IdleTutor:
    """Encourages and explains nothing."""

    name = "idle"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """One of a few friendly sentences."""
        talk = _TALK[session.brief.language]
        return TutorTurn(talk[session.rounds % len(talk)])
