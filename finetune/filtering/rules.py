"""The checks that take no model: support, calls, mistakes. Each drops with one reason."""

import json
from collections.abc import Callable

from finetune.filtering import drop
from finetune.filtering.drop import Drop
from scribe.grounding import Grounding
from scribe.records import Record
from scribe.trajectory import Act, Call, Observation, Stop, Trajectory
from tools.lexicon import WEB as UNSEEN

TAUGHT = frozenset(
    (
        "map_week_to_topic",
        "get_dependant_topics",
        "get_course_syllabus",
        "textbook_search",
        "exercise_search",
        "grade_calculator",
        "sort_student_features_with_importance",
        "get_feature_description",
        "impact_of_student_behaviors",
    )
)
"""The tools that a model is trained with."""

GroundedIn = Callable[[str], Grounding]


def answered(record: Record) -> Drop | None:
    """Whether it ended with an answer."""
    return None if record.stop is Stop.ANSWERED and record.answer else Drop(drop.UNANSWERED, str(record.stop))


def within_training(record: Record) -> Drop | None:
    """Whether no tool but the taught ones answered, and the one kept unseen was not even asked for.

    A wrong name that was put right passes: it is read as a mistake, never learned.
    """
    odd = sorted({call.name for call, seen in _calls(record) if call.name not in TAUGHT and (seen.ok or _unseen(call))})
    return Drop(drop.OUTSIDE, ", ".join(odd)) if odd else None


def supported(record: Record, check: GroundedIn) -> Drop | None:
    """Whether all that the answer names stands in the report or in what tools said."""
    before = Trajectory(record.task, record.steps[:-1])
    claims = check(record.task.course)(before, record.answer or "")
    return Drop(drop.UNSUPPORTED, ", ".join(claims)) if claims else None


def without_needless_calls(record: Record) -> Drop | None:
    """Whether no call was made twice with success."""
    calls = [json.dumps([call.name, dict(call.arguments)], sort_keys=True) for call, seen in _calls(record) if seen.ok]
    if twice := sorted({call for call in calls if calls.count(call) > 1}):
        return Drop(drop.NEEDLESS_CALL, f"made twice: {twice[0]}")
    return None


def without_needless_faults(record: Record, most: int) -> Drop | None:
    """Whether at most so many turns went wrong."""
    mistakes = len(record.trajectory.faults) + sum(not seen.ok for _, seen in _calls(record))
    return Drop(drop.NEEDLESS_FAULT, f"{mistakes} beyond {most}") if mistakes > most else None


def _calls(record: Record) -> list[tuple[Call, Observation]]:
    acts = [step for step in record.steps if isinstance(step, Act)]
    return [pair for act in acts for pair in zip(act.calls, act.observations, strict=True)]


def _unseen(call: Call) -> bool:
    return call.name.strip().casefold() == UNSEEN
