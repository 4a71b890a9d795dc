"""A trajectory in a student's words, the same on the terminal and the page: its steps, and why it has no answer.

What is said around an answer stands in `phrases_en.toml` and `phrases_fr.toml`, by the language of the question.
"""

import json
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from scribe.quotes import read_quotes
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Step, Stop, Trajectory

ENGLISH = "English"
LONGEST_VALUE = 60
MOST_FINDINGS = 3
LONGEST_FINDING = 240
_FILES = {ENGLISH: "phrases_en.toml", "French": "phrases_fr.toml"}


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language. quoted, weekly, plain: how calls of a tool are told, with what was asked, with a week, or alone.

    keys: what a key of a tool's result is called where that is not the key itself; colon: what stands after it.
    """

    quoted: Mapping[str, str]
    weekly: Mapping[str, str]
    plain: Mapping[str, str]
    other: str
    failed: str
    again: str
    dropped: str
    rests: str
    retracted: str
    stops: Mapping[Stop, str]
    found: str
    yes: str
    no: str
    colon: str
    keys: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        return self.keys.get(name, name.replace("_", " "))


@cache
def choose_phrases(language: str) -> Phrases:
    """The words for a question in this language (`Task.language`); English for any but French."""
    path = Path(__file__).with_name(_FILES.get(language, _FILES[ENGLISH]))
    return TypeAdapter(Phrases).validate_python(tomllib.loads(path.read_text(encoding="utf-8")))


def describe_step(step: Step, language: str = ENGLISH) -> tuple[str, ...]:
    """What to show of a step: of the answer that there is evidence, of a sentence drawn anew nothing."""
    match step:
        case Act(_, calls, observations):
            pairs = zip(calls, observations, strict=True)
            failed = choose_phrases(language).failed
            return tuple(describe_call(call, language) + ("" if seen.ok else failed) for call, seen in pairs)
        case Fault():
            return (choose_phrases(language).again,) if step.told else ()
        case Answer(thought):
            return (choose_phrases(language).rests,) if read_quotes(thought)[0] else ()


def describe_call(call: Call, language: str = ENGLISH) -> str:
    """One call in a student's words, e.g. "Looking up week 8 in the course plan"."""
    say, arguments = choose_phrases(language), call.arguments
    if call.name in say.weekly and arguments.get("week") is not None:
        week = str(arguments["week"]).lower().removeprefix("week").removeprefix("semaine")
        return say.weekly[call.name].format(_shorten(week.strip()))
    if call.name in say.plain:
        return say.plain[call.name]
    said = arguments.get("query", arguments.get("feature"))
    if call.name in say.quoted and said is not None:
        return say.quoted[call.name].format(_shorten(said))
    return say.other.format(_shorten(call.name).replace("_", " "))


def describe_result(observation: Observation, language: str = ENGLISH) -> tuple[str, ...]:
    """What a tool said, line by line: its sentences as they are, all else as "key: value" in plain words.

    What is no JSON object is one line, the text itself.
    """
    try:
        content = json.loads(observation.content.splitlines()[0])
    except (ValueError, IndexError):
        content = None
    if not isinstance(content, dict):
        return (make_printable(observation.content),)
    say = choose_phrases(language)
    return tuple(_format_line(say, key, value) for key, value in content.items() if _format_value(say, value))


def list_evidence(step: Step) -> tuple[str, ...]:
    """The lines of report and results that the model copied before it answered."""
    return tuple(map(make_printable, read_quotes(step.thought)[0])) if isinstance(step, Answer) else ()


def explain_ending(trajectory: Trajectory) -> str:
    """Why there is no answer, and what the tools said, in Markdown."""
    say = choose_phrases(trajectory.task.language)
    words = say.stops[trajectory.stop or Stop.UNRESOLVED]
    found = [] if trajectory.stop is Stop.CANCELLED else list_findings(trajectory)
    if not found:
        return words
    return "\n".join([words, "", say.found, "", *(f"- {finding}" for finding in found)])


def list_findings(trajectory: Trajectory) -> list[str]:
    """What the tools said, one short line for each different call that worked."""
    language = trajectory.task.language
    colon = choose_phrases(language).colon
    found = {}
    for act in trajectory.acts:
        for call, observation in zip(act.calls, act.observations, strict=True):
            if observation.ok:
                lines = describe_result(observation, language)
                # The sentences alone, since they repeat the rest; without any, all lines.
                said = " ".join(filter(is_sentence, lines)) or "; ".join(lines)
                title = describe_call(call, language)
                found[title] = f"{title}{colon} {said}"
    shown = list(found.values())[-MOST_FINDINGS:]
    return [text if len(text) <= LONGEST_FINDING else text[:LONGEST_FINDING].rsplit(" ", 1)[0] + " …" for text in shown]


def is_sentence(text: str) -> bool:
    """Whether a text stands by itself: more than one word, and ended like a sentence (or cut short)."""
    return " " in text and text.endswith((".", "!", "?", "…"))


def make_printable(text: str) -> str:
    """Text without control characters, which a terminal would obey; line breaks stay."""
    return "".join(each if each == "\n" or unicodedata.category(each)[0] != "C" else " " for each in text)


def _format_line(say: Phrases, key: str, value: Any) -> str:
    said = _format_value(say, value)
    whole = isinstance(value, str) and is_sentence(said)
    return said if whole else f"{say.key(key)}{say.colon} {said}"


def _format_value(say: Phrases, value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return say.yes if value else say.no
        case list():
            between = "; " if any(isinstance(each, dict) for each in value) else ", "
            return between.join(_format_value(say, each) for each in value)
        case dict():
            return ", ".join(_format_pairs(say, value))
        case _:
            return make_printable(str(value))


def _format_pairs(say: Phrases, value: dict[str, Any]) -> Iterator[str]:
    for key, each in value.items():
        if said := _format_value(say, each):
            yield f"{say.key(key)} {said}"


def _shorten(value: object) -> str:
    text = " ".join(make_printable(str(value)).split())
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1].rstrip() + "…"
