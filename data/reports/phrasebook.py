"""The written sentences of the reports, read from phrases.toml and behaviours.toml, with their alternatives."""

import itertools
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Phrases = tuple[str, ...]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Wording:
    """How one behaviour is spoken of, as explained at the top of behaviours.toml."""

    says: Phrases
    noun: str
    early: Phrases = ()
    better: Phrases = ()
    worse: Phrases = ()
    more: Phrases = ()
    less: Phrases = ()
    high: Phrases = ()
    low: Phrases = ()
    quiz: bool = False
    ahead: bool = False
    result: bool = False


@cache
def wordings() -> Mapping[str, Wording]:
    """The wording of each behaviour that reports may speak of, by the feature's name."""
    entries = _read("behaviours.toml").items()
    return {name: Wording(**{key: _frozen(value) for key, value in entry.items()}) for name, entry in entries}


def phrases(*path: str) -> Phrases:
    """The sentences at a place of phrases.toml, e.g. `phrases("status", "fail")`; raises KeyError."""
    found: Any = _book()
    for key in path:
        found = found[key]
    return tuple(found)


def every_phrase() -> Iterator[tuple[str, str]]:
    """Each sentence of phrases.toml with its place, such as `status.fail`; for tests and for translators."""

    def walk(node: Any, place: str) -> Iterator[tuple[str, str]]:
        if isinstance(node, dict):
            for key, value in node.items():
                yield from walk(value, f"{place}.{key}" if place else key)
        else:
            yield from ((place, phrase) for phrase in node)

    return walk(_book(), "")


def chosen(phrase: str, chance: random.Random) -> str:
    """The phrase with one word taken of each [a|b]."""
    return _CHOICE.sub(lambda match: chance.choice(match[1].split("|")), phrase)


def forms(phrase: str) -> Iterator[str]:
    """The phrase in all its alternatives."""
    parts = _CHOICE.split(phrase)  # text and choices take turns
    options = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return ("".join(words) for words in itertools.product(*options))


def filled(phrase: str, slots: Mapping[str, object]) -> str:
    """The phrase with its slots filled; {Noun} is {noun} with a capital first letter. Raises KeyError."""
    capitals = {key.capitalize(): capitalised(str(value)) for key, value in slots.items()}
    return phrase.format_map({**slots, **capitals}).replace("  ", " ")


def capitalised(text: str) -> str:
    """The text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


@cache
def _book() -> dict[str, Any]:
    return _read("phrases.toml")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
