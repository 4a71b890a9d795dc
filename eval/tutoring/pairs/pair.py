"""A pair of dialogues as people see it, what they say of it, and the files in which a folder of pairs lies.

`pairs.jsonl` tells nothing of tutors; which tutor spoke in which dialogue stands in `key.jsonl` alone, for the count.
"""

import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from eval.lines import parse_lines
from eval.tutoring.students.student import Level
from scribe.plumbing.errors import UsageError

PAIRS, KEY, LABELS = "pairs.jsonl", "key.jsonl", "labels"
Choice = Literal["one", "other", "tie"]
"""Which dialogue of a pair is better, whichever stood on the left."""


@dataclass(frozen=True, slots=True)
class PairTurn:
    """One turn of a dialogue."""

    speaker: Literal["tutor", "student"]
    text: str


@dataclass(frozen=True, slots=True)
class DialoguePair:
    """Two dialogues with the same student. name: tells nothing of the tutors.

    block: of two pairs in which each tutor's dialogue is `one` once, so that both may change sides together.
    """

    name: str
    block: str
    title: str
    description: str
    one: tuple[PairTurn, ...]
    other: tuple[PairTurn, ...]

    @property
    def of(self) -> str:
        """16 hexadecimal digits of both dialogues, so that a label is known to be of this text."""
        text = json.dumps([[asdict(turn) for turn in each] for each in (self.one, self.other)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def is_swapped(self, person: str) -> bool:
        """Whether the other dialogue stands on the left for this person.

        By chance for each person and block, so that for each person either tutor stands on the left as often as the
        other, and each pair stands both ways for different people.
        """
        return hashlib.sha256(f"{person}\n{self.block}".encode()).digest()[0] % 2 == 1


@dataclass(frozen=True, slots=True)
class PairKey:
    """Who speaks in a pair, and to which student."""

    name: str
    block: str
    one: str
    other: str
    task: str
    level: Level
    seed: int


@dataclass(frozen=True, slots=True)
class PairLabel:
    """What a person said of one pair by one criterion, a line of their file. answer: the pair's name."""

    person: str
    answer: str
    criterion: str
    value: Choice
    of: str


@dataclass(frozen=True, slots=True)
class PairCriterion:
    """What dialogues are compared by, and what weak, moderate and excellent tutors do."""

    id: str
    title: str
    question: str
    weak: str
    moderate: str
    excellent: str


_PAIR, _KEY = TypeAdapter(DialoguePair), TypeAdapter(PairKey)


def load_criteria() -> tuple[PairCriterion, ...]:
    """The paper's three criteria, in its order."""
    found = tomllib.loads(Path(__file__).with_name("criteria.toml").read_text(encoding="utf-8"))
    return tuple(PairCriterion(id=name, **text) for name, text in found.items())


def read_pairs(folder: Path) -> list[DialoguePair]:
    """The pairs of a folder. Raises UsageError where there are none, RecordError for a bad line."""
    _require(folder)
    return [pair for _, pair in parse_lines(folder / PAIRS, _PAIR, "the pairs")]


def read_keys(folder: Path) -> dict[str, PairKey]:
    """Who speaks in each pair, by its name. Raises UsageError where there are none, RecordError for a bad line."""
    _require(folder)
    return {key.name: key for _, key in parse_lines(folder / KEY, _KEY, "the key")}


def write_lines(rows: Sequence[DialoguePair] | Sequence[PairKey]) -> str:
    """Rows as JSON lines."""
    return "".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


def _require(folder: Path) -> None:
    if not (folder / PAIRS).is_file() or not (folder / KEY).is_file():
        raise UsageError(f"{folder} holds no pairs; make some: scribe pairs draw DIR --tutor A B --out {folder}")
