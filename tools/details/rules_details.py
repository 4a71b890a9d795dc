"""Which texts of the rules hold the detail that a question wants, by words of students and of rules."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tools.search.words import folded


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing that students ask: in which words they do, and in which ones rules say it."""

    asked: re.Pattern[str]
    says: re.Pattern[str]


def wanted(asked: str, texts: tuple[str, ...], kind: str) -> tuple[float, ...]:
    """For each text, the share that it holds of the details which the question names; `kind` is a part of the table."""
    question = _spaced(asked)
    rows = zip(_details(kind), _held(kind, texts), strict=True)
    # What these texts never say must not take from what they do.
    named = [held for detail, held in rows if any(held) and detail.asked.search(question)]
    return tuple(sum(column) / len(named) for column in zip(*named, strict=True)) if named else (0.0,) * len(texts)


@cache
def _held(kind: str, texts: tuple[str, ...]) -> tuple[tuple[bool, ...], ...]:
    """For each detail, which of the texts say it."""
    told = [_spaced(text) for text in texts]
    return tuple(tuple(bool(detail.says.search(text)) for text in told) for detail in _details(kind))


def _spaced(text: str) -> str:
    """Folded, between spaces, so that a word of the table that ends in one is met at the end of a text too."""
    return " " + re.sub(r"[^\w'-]+", " ", folded(text).replace("’", "'")).strip() + " "


@cache
def _details(kind: str) -> tuple[Detail, ...]:
    table = tomllib.loads((files("tools") / "questions" / "rules_details.toml").read_text("utf-8"))
    return tuple(Detail(_any(each["asked"]), _any(each["says"])) for each in table[kind].values())


def _any(words: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{re.escape(word)}" for word in words.split(", ")))
