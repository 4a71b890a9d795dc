"""The attacks: one a line in `attacks.jsonl`, each with the path it takes and what it is after."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("attacks.jsonl")
TEXTS = ("question", "history", "report", "syllabus", "textbook", "exercise", "title", "about")
"""Paths on which a text reaches the model."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attempt.

    path: where it comes in. text: what stands there. after: which secret it is after (`world.SECRETS`), or "rules".
    calls: what a model that obeys calls, as (tool, arguments). turns: what such a model writes first, to the letter.
    request: of a path "http", what is sent: as, method, url and more. Words in braces stand for what a thief may know.
    """

    id: str
    path: str
    after: str
    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    turns: tuple[str, ...] = ()
    request: Mapping[str, Any] = field(default_factory=dict)


@cache
def read_attacks() -> tuple[Attack, ...]:
    """All of them, in the file's order."""
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["calls"] = tuple((name, arguments) for name, arguments in row.get("calls", ()))
        row["turns"] = tuple(row.get("turns", ()))
    return tuple(Attack(**row) for row in rows)


def choose(*paths: str) -> tuple[Attack, ...]:
    """The attacks that take one of these paths."""
    return tuple(each for each in read_attacks() if each.path in paths)


def count_paths() -> Mapping[str, int]:
    """How many attacks take each path."""
    return Counter(each.path for each in read_attacks())
