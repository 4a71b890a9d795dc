"""A tutor made for the verifier's data: a program that explains by chance, well and badly.

The verifier learns from dialogues of all qualities. This tutor says none, some or too many of the components, shortened
or with idle talk around them, so that its dialogues lie between `explainer` and `idle`. It is no tutor for a student.
"""

import random
from collections.abc import Sequence

from scribe.tutor.session import ComponentBrief, Language, StudentTurn, TutoringSession, TutorTurn
from scribe.tutor.speaking import mix_seed
from scribe.verify.evidence import measure_treatment

MOST = 4
"""Components in one turn."""
CHANCES = (0.2, 0.4, 0.25, 0.1, 0.05)
"""Of so many components in a turn, from none to MOST."""
WHOLE = 0.6
"""Share of components that are said whole; of the others a part."""
_DRAW = 3000
_TALK: dict[Language, Sequence[str]] = {
    "English": ("You are doing well.", "Let us look at it together.", "Take your time.", "What have you tried so far?"),
    "French": ("C'est bien parti.", "Regardons cela ensemble.", "Prenez votre temps.", "Qu'avez-vous essayé ?"),
}


class VariedTutor:
    """Explains a random part of the task at each turn; how often it attends to the student is its dialogue's mood."""

    name = "varied"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        """Zero to four components, what the student asked about first if this dialogue's tutor attends."""
        return TutorTurn(self.draw(session, seed))

    def draw(self, session: TutoringSession, seed: int, number: int = 0) -> str:
        """What it might say, another text for each number; that of 0 is what it says. Moods differ by number too."""
        seed = mix_seed(seed, number, _DRAW) if number else seed
        brief = session.brief
        said = next((turn.text for turn in reversed(session.turns) if isinstance(turn, StudentTurn)), "")
        start = random.Random(mix_seed(seed, len(brief.components), _DRAW) ^ _number(brief.task))
        attention = start.random()
        drawn = random.Random(f"{brief.task} {seed} {session.rounds} {said}")
        count = drawn.choices(range(MOST + 1), CHANCES)[0]
        chosen = drawn.sample(brief.components, min(count, len(brief.components)))
        if said and chosen and drawn.random() < attention:
            asked = max(brief.components, key=lambda each: measure_treatment(each, said))
            chosen = [asked, *(each for each in chosen if each != asked)][: len(chosen)]
        parts = [_say(each, drawn) for each in chosen]
        talk = drawn.sample(_TALK[brief.language], drawn.randint(0 if parts else 1, 2))
        return " ".join([*talk, *parts] if drawn.random() < 0.5 else [*parts, *talk])


def _say(component: ComponentBrief, drawn: random.Random) -> str:
    words = component.text.split()
    if drawn.random() < WHOLE:
        return component.text
    kept = drawn.randint(1, len(words))
    return " ".join(words[:kept]).rstrip(".,;:") + "."


def _number(text: str) -> int:
    return int.from_bytes(text.encode()[-8:], "big")
