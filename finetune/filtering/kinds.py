"""What kinds of question a record may be of: known from how it was made, else read from its hint."""

from collections.abc import Iterable
from dataclasses import dataclass

from eval.judge import intents
from finetune.trajectories.table import ESSENTIAL
from scribe.figures import weeks
from scribe.records import Record


@dataclass(frozen=True, slots=True)
class Kinds:
    """`every` must be served, as both parts of a question that asks two things; of `any` one is enough.

    Both are empty where nobody knows what the question means.
    """

    every: tuple[str, ...] = ()
    any: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the kind of question is known."""
        return bool(self.every or self.any)

    @property
    def toolless(self) -> bool:
        """Whether no reading of the question needs a tool."""
        return self.known and not any(kind in ESSENTIAL for kind in (*self.every, *self.any))


def of(record: Record) -> Kinds:
    """The kinds of a record's question."""
    intent = record.model.get("intent", "")
    if intent:
        return Kinds(every=tuple(filter(None, (intent, record.model.get("second", "")))))
    return Kinds(any=tuple(each.kind for each in intents.of(record.task.hint)))


def beyond(record: Record, last: int) -> frozenset[str]:
    """The kinds that are asked of a week that the course of `last` weeks does not have, so that no tool can help."""
    told, found = record.model, of(record)
    if not told.get("intent"):
        return frozenset(found.any if _missing(weeks(record.task.question), last) else ())
    asked = {told["intent"]: told.get("week", ""), told.get("second", ""): told.get("second_week", "")}
    known = {kind: int(week) for kind, week in asked.items() if week.isdigit()}
    unsaid = weeks(record.task.question) if not known else frozenset[int]()
    return frozenset(kind for kind in found.every if _missing({known[kind]} if kind in known else unsaid, last))


def _missing(asked: Iterable[int], last: int) -> bool:
    return any(week > last or week < 1 for week in asked)
