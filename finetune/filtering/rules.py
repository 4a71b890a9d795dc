"""The checks that take no model: support, tools, mistakes. Each drops with one reason."""

import json
from collections.abc import Callable, Mapping

from data.course import Course
from eval.unseen_tool.reaching import TOOL as UNSEEN
from finetune.filtering import drop, kinds
from finetune.filtering.drop import Drop
from finetune.trajectories.table import ACCEPTABLE, ESSENTIAL, has_essential
from scribe.grounding import Grounding
from scribe.records import Record
from scribe.trajectory import Act, Call, Observation, Stop, Trajectory

NEEDS_NONE = frozenset({"out_of_scope", "other_student", "smalltalk"})
"""Kinds of question for which a call is not only unneeded but wrong."""

TAUGHT = frozenset[str]().union(*ACCEPTABLE.values(), *(way for ways in ESSENTIAL.values() for way in ways))
"""The tools that a model is trained with."""

CourseOf = Callable[[str], Course]
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


def tools_in_place(record: Record, course: CourseOf) -> Drop | None:
    """Whether the tools that the kind of question needs answered before it was answered.

    Not needed: for a week that the course does not have, and after a fitting tool had no data. A question of which
    nobody knows the kind passes; `decidable` counts those.
    """
    found = kinds.of(record)
    if not found.known:
        return None
    beyond = kinds.beyond(record, course(record.task.course).weeks)
    seen = [(call.name, observation) for call, observation in _calls(record) if observation.ok]
    called, empty = {name for name, _ in seen}, {name for name, each in seen if _no_data(each)}
    served = {
        kind: kind in beyond or has_essential(kind, called) or bool(empty & ACCEPTABLE.get(kind, frozenset()))
        for kind in _all(found)
    }
    if all(served[kind] for kind in found.every) and (not found.any or any(served[kind] for kind in found.any)):
        return None
    lacking = ", ".join(kind for kind in served if not served[kind])
    return Drop(drop.TOOL_MISSING, f"{lacking}; called: {', '.join(sorted(called)) or 'none'}")


def decidable(record: Record) -> bool:
    """Whether it is known what kind of question it is."""
    return kinds.of(record).known


def without_needless_calls(record: Record) -> Drop | None:
    """Whether no call was made twice with success, and none where the question needs no tool."""
    calls = [json.dumps([call.name, dict(call.arguments)], sort_keys=True) for call, seen in _calls(record) if seen.ok]
    if twice := sorted({call for call in calls if calls.count(call) > 1}):
        return Drop(drop.NEEDLESS_CALL, f"made twice: {twice[0]}")
    found = kinds.of(record)
    if calls and found.known and set(_all(found)) <= NEEDS_NONE:
        return Drop(drop.NEEDLESS_CALL, f"a question of the kind {_all(found)[0]} needs none: {calls[0]}")
    return None


def without_needless_faults(record: Record, most: int) -> Drop | None:
    """Whether at most so many mistakes were made beyond those that the expert made on purpose."""
    refused = sum(not seen.ok for _, seen in _calls(record))
    mistakes = len(record.trajectory.faults) + refused
    needless = mistakes - int(record.model.get("slips", "0"))
    return Drop(drop.NEEDLESS_FAULT, f"{needless} beyond {most}") if needless > most else None


def _calls(record: Record) -> list[tuple[Call, Observation]]:
    acts = [step for step in record.steps if isinstance(step, Act)]
    return [pair for act in acts for pair in zip(act.calls, act.observations, strict=True)]


def _unseen(call: Call) -> bool:
    return call.name.strip().casefold() == UNSEEN


def _all(found: kinds.Kinds) -> tuple[str, ...]:
    return (*found.every, *found.any)


def _no_data(seen: Observation) -> bool:
    said: Mapping[str, object] = json.loads(seen.content.splitlines()[0])
    return "no_data" in said
