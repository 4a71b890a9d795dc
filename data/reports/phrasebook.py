"""The words of the reports: sentences of phrases.toml and behaviours.toml, and names of what a course teaches."""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from data.course import Course, Week

THEORY_PARTS: Mapping[str, tuple[str, ...]] = {
    "nr": ("Necessary causes", "Robust explanation"),
    "ac": ("Abnormal causes", "Recent events", "Controllable factors"),
    "con": ("Target event", "Contrast event", "Key differences"),
}
"""The parts of a report after each theory, in bold and in this order."""

Phrases = Sequence[str]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class BehaviourWording:
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
def load_wordings() -> Mapping[str, BehaviourWording]:
    """The wording of each behaviour that reports may speak of, by the feature's name."""
    return {name: BehaviourWording(**entry) for name, entry in read_words("behaviours.toml").items()}


def find_phrases(*path: str) -> Phrases:
    """The sentences at a place of phrases.toml, e.g. `find_phrases("status", "fail")`. Raises KeyError."""
    found: Any = read_words("phrases.toml")
    for key in path:
        found = found[key]
    return tuple(found)


@cache
def read_words(name: str) -> dict[str, Any]:
    """The content of a TOML file beside this one."""
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def choose_words(phrase: str, chance: random.Random) -> str:
    """The phrase with one word taken of each [a|b]."""
    return _CHOICE.sub(lambda match: chance.choice(match[1].split("|")), phrase)


def fill_slots(phrase: str, slots: Mapping[str, object]) -> str:
    """The phrase with its slots filled; {Noun} is {noun} with a capital first letter. Raises KeyError."""
    capitals = {key.capitalize(): str(value)[:1].upper() + str(value)[1:] for key, value in slots.items()}
    return phrase.format_map({**slots, **capitals}).replace("  ", " ")


def list_words(names: Sequence[str] | Sequence[int]) -> str:
    """E.g. "a, b and c"."""
    *most, last = map(str, names)
    return f"{', '.join(most)} and {last}" if most else last


def name_course(course: Course) -> str:
    """The title as it is said in a sentence: "Villes africaines I" without what follows a colon."""
    return course.title.split(":")[0].strip()


def name_topic(course: Course, topic: str) -> str:
    """A topic, in a course of another language with its English, e.g. "Cadastre (Cadaster)"."""
    english = course.english(topic)
    return topic if english in ("", topic) else f"{topic} ({english})"


def name_week(week: Week, titled: bool = False) -> str:
    """E.g. "week 7", with the title "week 7 (Topométrie – Surveying)"."""
    titles = week.title if week.title_en in ("", week.title) else f"{week.title} – {week.title_en}"
    return f"week {week.number} ({titles})" if titled else f"week {week.number}"


def count_weeks(count: int) -> str:
    """A number of weeks in words, e.g. "five weeks"; digits are for values and for which week is meant."""
    word = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{word} week" if count == 1 else f"{word} weeks"
