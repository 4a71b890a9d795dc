"""What a question needs by its kind, for the checks without a model: which tools can give it, guidance or not."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.reading.hints import AND, OR
from tools.reading.known_questions import again, asks, kinds
from tools.reading.naming import BEFORE, HERE
from tools.task import NO_SUCH_WEEK

_FILE = Path(__file__).with_name("intents.toml")
_RULES = "what the rules say on "
_NAMED = "|".join(map(re.escape, (NO_SUCH_WEEK, HERE, BEFORE)))


@dataclass(frozen=True, slots=True)
class Intent:
    """One kind of question: any of `tools` can give what it needs; none listed means that it needs none."""

    kind: str
    tools: tuple[str, ...]
    guidance: bool


def of(hint: str) -> tuple[Intent, ...]:
    """The kinds that a hint names (see `tools.reading.hints`), the likeliest first; none if it names nothing known."""
    named = re.split(_NAMED, hint)[0].replace(AND, OR).split(OR)
    readings = (_first(each) for each in named)
    found = (_by_phrase().get("syllabus" if each.startswith(_RULES) else each) for each in readings)
    return tuple(intent for intent in found if intent)


def _first(reading: str) -> str:
    """The reading without that it was asked before."""
    return next((reading.removesuffix(f", {each}") for each in again() if reading.endswith(f", {each}")), reading)


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
