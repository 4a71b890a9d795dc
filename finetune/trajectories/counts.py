"""What a file of trajectories shows and what it cost, in numbers by name."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from finetune.trajectories.outcome import Outcome
from finetune.trajectories.settings import TrajectorySettings
from finetune.trajectories.table import ESSENTIAL
from scribe.records import Record
from scribe.trajectory import Usage


def counts(outcomes: Sequence[Outcome], settings: TrajectorySettings) -> dict[str, Any]:
    """Rows, answers, failures by reason, what the answers show, tokens and dollars.

    unmetered: answers for which the server told no tokens, so that the cost is too low by theirs.
    """
    usage = sum((each.usage for each in outcomes), Usage())
    records = [each.record for each in outcomes if each.record is not None]
    told = {
        "rows": len(outcomes),
        "answered": len(records),
        "failed": dict(sorted(Counter(each.reason for each in outcomes if each.record is None).items())),
        "shows": _shown(records),
    }
    if settings.teacher == "scripted":
        return told
    tokens = {name: getattr(usage, f"{name}_tokens") for name in ("prompt", "cached", "completion")}
    cost = round(settings.cost(usage.prompt_tokens, usage.completion_tokens), 4)
    unmetered = sum(not record.usage.completion_tokens for record in records)
    return {**told, "tokens": tokens, "dollars": cost, "unmetered": unmetered, "seconds_of_model": usage.seconds}


def models(outcomes: Iterable[Outcome]) -> list[str]:
    """The models that answered, as the server last called them."""
    found = (each.record.model for each in outcomes if each.record is not None)
    return sorted({str(model.get("reported") or model.get("name", "")) for model in found})


def _shown(records: Sequence[Record]) -> dict[str, int]:
    """How many trajectories show each thing that is worth learning."""
    return {
        "recovery": sum(bool(each.trajectory.faults) or _refused(each) for each in records),
        "no_data": sum(_no_data(each) for each in records),
        "no_tool": sum(not each.trajectory.acts for each in records),
        "declined": sum(each.model.get("intent") in ("out_of_scope", "other_student") for each in records),
        "two_questions": sum("second" in each.model for each in records),
        "other_order": sum("way" in each.model for each in records),
        "follow_up": sum(bool(each.task.history) for each in records),
        "several_calls": sum(len(each.trajectory.acts) > 1 for each in records),
        "intents": len({each.model.get("intent") for each in records} & set(ESSENTIAL)),
    }


def _refused(record: Record) -> bool:
    return any(not seen.ok for act in record.trajectory.acts for seen in act.observations)


def _no_data(record: Record) -> bool:
    return any('"no_data"' in seen.content for act in record.trajectory.acts for seen in act.observations)
