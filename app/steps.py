"""Steps as a student likes to read them: one plain line for each, the same on the terminal and the page."""

import json
import unicodedata
from collections.abc import Iterator
from typing import Any

from scribe.trajectory import Act, Answer, Call, Fault, Observation, Step

LONGEST_VALUE = 60

_QUOTED = {
    "get_course_syllabus": "Reading the course rules on “{}”",
    "textbook_search": "Looking in the textbook for “{}”",
    "exercise_search": "Looking for exercises on “{}”",
    "get_feature_description": "Looking up what “{}” means",
    "impact_of_student_behaviors": "Looking at what usually helps: “{}”",
    "web_search": "Searching the web for “{}”",
}
_WEEKLY = {
    "map_week_to_topic": "Looking up week {} in the course plan",
    "get_dependant_topics": "Checking what week {} builds on",
    "sort_student_features_with_importance": "Looking at your study behaviour in week {}",
}
_PLAIN = {"grade_calculator": "Adding up your points so far"}


def lines(step: Step) -> tuple[str, ...]:
    """What to show of a step; nothing for the answer itself."""
    match step:
        case Act(_, calls, observations):
            pairs = zip(calls, observations, strict=True)
            return tuple(title(call) + ("" if seen.ok else " – that did not work") for call, seen in pairs)
        case Fault():
            return ("Checking again before answering",)
        case Answer():
            return ()


def title(call: Call) -> str:
    """One call in a student's words, e.g. "Looking up week 8 in the course plan"."""
    arguments = call.arguments
    if call.name in _PLAIN:
        return _PLAIN[call.name]
    if call.name in _WEEKLY and "week" in arguments:
        return _WEEKLY[call.name].format(_short(str(arguments["week"]).lower().removeprefix("week").strip()))
    said = arguments.get("query", arguments.get("feature"))
    if call.name in _QUOTED and said is not None:
        return _QUOTED[call.name].format(_short(said))
    return f"Using {_short(call.name).replace('_', ' ')}"


def told(observation: Observation) -> tuple[str, ...]:
    """What a tool said, line by line: its sentences as they are, all else as "key: value" in plain words.

    What is no JSON object is one line, the text itself.
    """
    try:
        content = json.loads(observation.content.splitlines()[0])
    except (ValueError, IndexError):
        return (printable(observation.content),)
    if not isinstance(content, dict):
        return (printable(observation.content),)
    return tuple(_line(key, value) for key, value in content.items() if _said(value))


def is_sentence(text: str) -> bool:
    """Whether a text stands by itself: more than one word, and ended like a sentence (or cut short)."""
    return " " in text and text.endswith((".", "!", "?", "…"))


def printable(text: str) -> str:
    """Text without control characters, which a terminal would obey; line breaks stay."""
    return "".join(each if each == "\n" or unicodedata.category(each)[0] != "C" else " " for each in text)


def _line(key: str, value: Any) -> str:
    said = _said(value)
    return said if isinstance(value, str) and is_sentence(said) else f"{key.replace('_', ' ')}: {said}"


def _said(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list():
            return ("; " if any(isinstance(each, dict) for each in value) else ", ").join(map(_said, value))
        case dict():
            return ", ".join(_pairs(value))
        case _:
            return printable(str(value))


def _pairs(value: dict[str, Any]) -> Iterator[str]:
    for key, each in value.items():
        if said := _said(each):
            yield f"{key.replace('_', ' ')} {said}"


def _short(value: object) -> str:
    text = " ".join(printable(str(value)).split())
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1].rstrip() + "…"
