"""What a question needs by its kind, for the checks without a model: which tools can give it, guidance or not."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.reading.known_questions import asks, kinds
from tools.reading.readings import readings

_FILE = Path(__file__).with_name("intents.toml")
_RULES = "what the rules say on "


@dataclass(frozen=True, slots=True)
class Intent:
    """One kind of question: any of `tools` can give what it needs; none listed means that it needs none."""

    kind: str
    tools: tuple[str, ...]
    guidance: bool


def of(hint: str) -> tuple[Intent, ...]:
    """The kinds that a hint names (see `tools.reading.hints`), the likeliest first; none if it names nothing known."""
    found = (_by_phrase().get("syllabus" if each.startswith(_RULES) else each) for each in readings(hint))
    return tuple(intent for intent in found if intent)


@cache
def tools() -> frozenset[str]:
    """Every tool that some kind of question needs."""
    return frozenset(tool for intent in _by_phrase().values() for tool in intent.tools)


@cache
def _by_phrase() -> dict[str, Intent]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    known = set(kinds()) | {"prerequisites_of_topic"}
    return {
        "syllabus" if kind == "syllabus" else asks(kind): Intent(kind, tuple(content["tools"]), content["guidance"])
        for kind, content in table.items()
        if kind in known
    }
