"""What a student reads when a question ended without an answer: kind words, and what was found."""

from collections.abc import Sequence

from app import steps
from app.spoken import spoken
from scribe.trajectory import Stop, Trajectory

MOST_FINDINGS = 3
LONGEST_FINDING = 240


def explained(trajectory: Trajectory) -> str:
    """Why there is no answer, and what the tools said, in Markdown."""
    say = spoken(trajectory.task.language)
    words = say.stops[trajectory.stop or Stop.UNRESOLVED]
    found = [] if trajectory.stop is Stop.CANCELLED else findings(trajectory)
    if not found:
        return words
    return "\n".join([words, "", say.found, "", *(f"- {finding}" for finding in found)])


def findings(trajectory: Trajectory) -> list[str]:
    """What the tools said, one short line for each different call that worked."""
    language = trajectory.task.language
    found = {
        steps.title(call, language): _joined(steps.told(observation, language))
        for act in trajectory.acts
        for call, observation in zip(act.calls, act.observations, strict=True)
        if observation.ok
    }
    colon = spoken(language).colon
    return [_cut(f"{title}{colon} {said}") for title, said in list(found.items())[-MOST_FINDINGS:]]


def _joined(lines: Sequence[str]) -> str:
    """The sentences alone, since they repeat the rest; without any, all lines."""
    return " ".join(filter(steps.is_sentence, lines)) or "; ".join(lines)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_FINDING else text[:LONGEST_FINDING].rsplit(" ", 1)[0] + " …"
