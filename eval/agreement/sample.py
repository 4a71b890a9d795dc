"""Which answers people label: the same questions of every run, in an order that tells nothing about the run."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.agreement.joining import name_of
from eval.judge.digest import digest
from eval.judge.work import names
from scribe import records
from scribe.errors import RecordError, UsageError
from scribe.records import Record


@dataclass(frozen=True, slots=True)
class Item:
    """One answer to label. name: as labels name it; whoever labels must not see it, for it tells the run.

    of: which text it is, as a label says it.
    """

    name: str
    record: Record
    of: str


def sample(answers: Sequence[Path], questions: int | None = None, seed: int = 0) -> list[Item]:
    """The answers to `questions` questions (all unless given) that every file has, those files' answers mixed.

    Runs are named as `scribe judge` names them. Raises UsageError for files that share no id, or RecordError.
    """
    runs = {run: _answered(path) for run, path in zip(names(answers), answers, strict=True)}
    shared = sorted(set.intersection(*(set(rows) for rows in runs.values())))
    if not shared:
        raise UsageError("no question is answered in every file; give files that answer the same questions")
    if questions is not None and questions < len(shared):
        shared = sorted(random.Random(seed).sample(shared, questions))
    return [Item(name_of(run, id), rows[id], digest(rows[id])) for run, rows in runs.items() for id in shared]


def order(items: Sequence[Item], person: str) -> list[Item]:
    """The items in this person's own order, the same at every start, so that tiredness falls on no run."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{person}\n{item.name}".encode()).digest())


def _answered(path: Path) -> dict[str, Record]:
    """By id. A row that failed has nothing to label."""
    try:
        found = {record.id: record for record in records.read(path) if record.answer is not None}
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    if not found:
        raise UsageError(f"{path} holds no answer; give a file that `scribe answer` wrote")
    return found
