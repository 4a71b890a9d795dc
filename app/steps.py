"""Steps as a student likes to read them: one plain line for each, the same on the terminal and the page."""

import json
import unicodedata
from collections.abc import Iterator
from typing import Any

from app.spoken import ENGLISH, Spoken, spoken
from scribe.quotes import read_quotes
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Step

LONGEST_VALUE = 60


def lines(step: Step, language: str = ENGLISH) -> tuple[str, ...]:
    """What to show of a step: of the answer that there is evidence (`evidence`), of a sentence drawn anew nothing."""
    match step:
        case Act(_, calls, observations):
            pairs = zip(calls, observations, strict=True)
            failed = spoken(language).failed
            return tuple(title(call, language) + ("" if seen.ok else failed) for call, seen in pairs)
        case Fault():
            return (spoken(language).again,) if step.told else ()
        case Answer(thought):
            return (spoken(language).rests,) if read_quotes(thought)[0] else ()


def title(call: Call, language: str = ENGLISH) -> str:
    """One call in a student's words, e.g. "Looking up week 8 in the course plan"."""
    say, arguments = spoken(language), call.arguments
    if call.name in say.weekly and arguments.get("week") is not None:
        week = str(arguments["week"]).lower().removeprefix("week").removeprefix("semaine")
        return say.weekly[call.name].format(_short(week.strip()))
    if call.name in say.plain:
        return say.plain[call.name]
    said = arguments.get("query", arguments.get("feature"))
    if call.name in say.quoted and said is not None:
        return say.quoted[call.name].format(_short(said))
    return say.other.format(_short(call.name).replace("_", " "))


def told(observation: Observation, language: str = ENGLISH) -> tuple[str, ...]:
    """What a tool said, line by line: its sentences as they are, all else as "key: value" in plain words.

    What is no JSON object is one line, the text itself.
    """
    try:
        content = json.loads(observation.content.splitlines()[0])
    except (ValueError, IndexError):
        return (printable(observation.content),)
    if not isinstance(content, dict):
        return (printable(observation.content),)
    say = spoken(language)
    return tuple(_line(say, key, value) for key, value in content.items() if _said(say, value))


def evidence(step: Step) -> tuple[str, ...]:
    """The lines of report and results that the model copied before it answered."""
    return tuple(map(printable, read_quotes(step.thought)[0])) if isinstance(step, Answer) else ()


def is_sentence(text: str) -> bool:
    """Whether a text stands by itself: more than one word, and ended like a sentence (or cut short)."""
    return " " in text and text.endswith((".", "!", "?", "…"))


def printable(text: str) -> str:
    """Text without control characters, which a terminal would obey; line breaks stay."""
    return "".join(each if each == "\n" or unicodedata.category(each)[0] != "C" else " " for each in text)


def _line(say: Spoken, key: str, value: Any) -> str:
    said = _said(say, value)
    whole = isinstance(value, str) and is_sentence(said)
    return said if whole else f"{say.key(key)}{say.colon} {said}"


def _said(say: Spoken, value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return say.yes if value else say.no
        case list():
            between = "; " if any(isinstance(each, dict) for each in value) else ", "
            return between.join(_said(say, each) for each in value)
        case dict():
            return ", ".join(_pairs(say, value))
        case _:
            return printable(str(value))


def _pairs(say: Spoken, value: dict[str, Any]) -> Iterator[str]:
    for key, each in value.items():
        if said := _said(say, each):
            yield f"{say.key(key)} {said}"


def _short(value: object) -> str:
    text = " ".join(printable(str(value)).split())
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1].rstrip() + "…"
