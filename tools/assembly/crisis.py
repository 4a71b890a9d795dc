"""A student who may be in danger gets no search for exercises: people are named, and no model is asked.

A rule, not a model, since here a miss costs most. It knows set phrases in English and French and nothing else, so it is
no safety system; a campus names its own help under `[answer] help`.
"""

import re
from dataclasses import dataclass

from scribe.agent import Agent
from scribe.backend import OnText
from scribe.trajectory import Answer, Stop, Trajectory

THOUGHT = "This may be somebody in danger. No tool helps here; people do."
FRENCH = "French"

_SIGNS = {
    "English": re.compile(
        r"\b(?:suicid\w*|kill(?:ing)? my ?self|end(?:ing)? (?:my (?:own )?life|it all)|(?:want(?:ed)? to|wanna) die|"
        r"do(?:n['’]?t| not) (?:want|wanna)(?: to)? (?:live|be alive|exist)|no reason to (?:live|go on living)|"
        r"better off dead|self[- ]?harm\w*|(?:hurt|harm|cut)(?:t?ing)? my ?self|dark thoughts)\b",
        re.IGNORECASE,
    ),
    FRENCH: re.compile(
        r"\b(?:suicid\w*|me tuer|mettre fin à (?:mes jours|ma vie)|en finir avec la vie|(?:envie de|veux) mourir|"
        r"(?:plus|pas) envie de vivre|(?:idées|pensées) (?:noires|suicidaires)|me faire du mal|m['’]?automutil\w*|"
        r"automutil\w*|me scarifi\w*)\b",
        re.IGNORECASE,
    ),
}
_SAID = {
    "English": (
        "This sounds very hard, and it matters more than any course. I am only a program and cannot help with it, but "
        "people can, now. If you are in danger, call the emergency number. Otherwise talk today to somebody you "
        "trust, to a crisis helpline, or to the counselling service of your campus."
    ),
    FRENCH: (
        "Ce que vous traversez semble très dur, et c'est plus important que n'importe quel cours. Je ne suis qu'un "
        "programme et je ne peux pas vous aider en cela, mais des personnes le peuvent, maintenant. Si vous êtes en "
        "danger, appelez le numéro d'urgence. Sinon, parlez aujourd'hui à quelqu'un de confiance, à une ligne d'écoute "
        "ou au service d'aide psychologique de votre campus."
    ),
}


def answer_to(question: str, language: str, help: str = "") -> str | None:
    """What to say to a question that shows danger, in its language; None if it shows none we know.

    language: the question's, which decides where a word is of both. help: whom to turn to on this campus, added as is.
    """
    seen = [name for name, signs in _SIGNS.items() if signs.search(question)]
    if not seen:
        return None
    said = _SAID[language if language in seen else seen[0]]
    return f"{said} {help}".strip()


@dataclass(frozen=True, slots=True)
class CrisisGuard(Agent):
    """An agent that asks no model where a question shows danger."""

    help: str = ""

    def step(self, trajectory: Trajectory, on_text: OnText | None = None) -> Trajectory:
        """The trajectory one turn later."""
        new = trajectory.stop is None and not trajectory.steps
        if new and (said := answer_to(trajectory.task.question, trajectory.task.language, self.help)):
            return trajectory.then(Answer(THOUGHT, said)).ended(Stop.ANSWERED)
        return Agent.step(self, trajectory, on_text)
