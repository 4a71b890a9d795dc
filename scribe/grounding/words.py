"""What words of an answer or a source are about, English and French: concepts such as `video`, `late`, `class`.

A concept stands for the many words that people use for one thing ("sittings", "séances"). A subject is known by the
concepts of its names, so the words of an answer can be compared with it. The patterns know nothing of any course.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def _read_file() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))


def read_table(name: str) -> dict[str, Any]:
    """A table of `phrases.toml`, with the lines of each regular expression joined by `|`. Raises KeyError."""
    table: dict[str, Any] = _join(_read_file()[name])
    return table


def compile_phrases(table: str) -> dict[str, re.Pattern[str]]:
    """The patterns of a table; those under `words` match whole words only."""
    content = read_table(table)
    words = {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in content.get("words", {}).items()}
    return words | {name: re.compile(pattern) for name, pattern in content.items() if name != "words"}


def compile_words(table: dict[str, str], letters: str = "a-z0-9") -> dict[str, re.Pattern[str]]:
    """Patterns beside which none of these characters may stand."""
    return {name: re.compile(rf"(?<![{letters}])(?:{pattern})(?![{letters}])") for name, pattern in table.items()}


def _join(value: Any) -> Any:
    match value:
        case str():
            return value.strip("\n").replace("\n", "|")
        case dict():
            return {key: _join(each) for key, each in value.items()}
        case list():
            return [_join(each) for each in value]
    return value


_CONCEPTS = compile_words(read_table("concepts"))
_LIGHT = frozenset({"watch", "study", "platform", "total", "number", "open", "earned", "needed", "graded"})
"""Concepts that say little about which subject is meant."""
_HEAVY = frozenset({
    "delay", "ontime", "early", "first", "score", "breaks", "uneven", "fixed", "rhythm", "weekday", "weekend",
    "replay", "interrupt", "answer", "jump", "speed", "play", "stop", "pause", "changes", "actions", "minute",
    "homework", "midterm", "final", "missing", "stillopen", "passing", "solved", "average",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Concepts:
    """Where each concept stands in a folded text."""

    places: Mapping[str, tuple[int, ...]]

    def within(self, start: int, end: int) -> frozenset[str]:
        """The concepts that begin in this part of the text."""
        return frozenset(name for name, found in self.places.items() if any(start <= place < end for place in found))


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Small letters without accents, straight apostrophes and ordinary spaces, sign for sign as long as the text."""
    return "".join(map(_plain_letter, text))


@lru_cache(maxsize=4096)
def read_concepts(text: str) -> Concepts:
    """The concepts of a folded text."""
    found = {name: tuple(match.start() for match in seen.finditer(text)) for name, seen in _CONCEPTS.items()}
    return Concepts({name: places for name, places in found.items() if places})


def is_concept(name: str) -> bool:
    """Whether this is a concept, and not a word of a source that has none."""
    return name in _CONCEPTS


def concepts_of(text: str) -> frozenset[str]:
    """All concepts of a text, folded or not."""
    return frozenset(read_concepts(fold(text)).places)


def weigh(concepts: frozenset[str]) -> float:
    """How much a set of concepts says about which subject is meant."""
    return sum(0.4 if each in _LIGHT else 1.2 if each in _CONCEPTS and each not in _HEAVY else 2.5 for each in concepts)


@lru_cache(maxsize=1024)
def _plain_letter(letter: str) -> str:
    if letter in "’‘ʼ":
        return "'"
    if letter in "–—‑":
        return "-"
    if letter.isspace():
        return "\n" if letter == "\n" else " "
    bare = unicodedata.normalize("NFKD", letter.lower())[:1]
    return bare if len(bare) == 1 else letter
