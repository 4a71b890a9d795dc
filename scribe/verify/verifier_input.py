"""What a verifier reads: the one function that writes it, for training and for use.

In two pieces, since candidates of a turn share the first; each is tokenised by itself, so that the ids of the whole are
those of the pieces wherever they are computed. Task and candidate are always whole; the oldest turns are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass

from scribe.tutor.session import TaskBrief, TutoringSession, TutorTurn

INPUT_VERSION = 1
"""To be raised when what is written changes: a verifier trained on another text is refused."""
LONGEST = 4500
"""Characters of the dialogue; with the task and a candidate some 2,000 tokens at most."""


@dataclass(frozen=True, slots=True)
class VerifierInput:
    """What a candidate is valued on: the shared context, and the candidate."""

    context: str
    response: str


def write_verifier_input(session: TutoringSession, candidate: str) -> VerifierInput:
    """The text on which a candidate for the tutor's next turn is valued: task, dialogue, candidate.

    What must be known is part of it, as in the authors' code; the solution, the student's true state, the number of
    turns to come and the tutor's belief are not.
    """
    said = [_write_turn(turn.text, "Tutor" if isinstance(turn, TutorTurn) else "Student") for turn in session.turns]
    while sum(map(len, said)) > LONGEST:
        said = said[1:]
    dialogue = "".join(said) or "(nothing yet)\n"
    return VerifierInput(f"{_write_task(session.brief)}\nDialogue:\n{dialogue}\nTutor's next turn:", f" {candidate}\n")


def encode_verifier_input(
    given: VerifierInput, encode: Callable[[str, bool], list[int]]
) -> tuple[list[int], list[int]]:
    """The ids of context and candidate; encode: as of `scribe.decoding.chat`. Control tokens are text in both."""
    return encode(given.context, False), encode(given.response, False)


def _write_task(brief: TaskBrief) -> str:
    components = "".join(f"- {each.text}\n" for each in brief.components)
    return f"Task: {brief.title}\n{brief.description.strip()}\n{brief.stub.strip()}\nWhat must be known:\n{components}"


def _write_turn(text: str, speaker: str) -> str:
    return f"{speaker}: {' '.join(text.split())}\n"
