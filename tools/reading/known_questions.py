"""How students ask: the known wordings, and in a few words what each asks.

Each file in `questions/` holds the wordings of one kind of question, each perhaps with slots ({week}, {topic},
{feature}, {behaviour}, {student}). A fixed eighth of them is held out: nothing learns from it, evaluation uses
nothing else. `questions/fr/` holds the same kinds as students ask them in French courses.
"""

import tomllib
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

HELD_OUT_SHARE = 8
TRANSLATED = ("fr",)
READ = ("en", *TRANSLATED)
"""The languages that wordings are known in, and so the ones whose questions hints can read."""
SAME, OF_TOPIC, SMALL_TALK, OUTSIDE = "same", "prerequisites_of_topic", "smalltalk", "out_of_scope"
AGAIN = {SAME: 0, "same_later": 1, "same_earlier": -1}
"""Kinds of question that ask the same as the one before, and how many weeks further on."""


@dataclass(frozen=True, slots=True)
class Known:
    """A known wording, what it asks in the words of a hint, and whether it leans on a question before it."""

    wording: str
    asks: str
    leaning: bool = False


def asks(kind: str, subject: str = "") -> str:
    """What a kind of question asks, in the words of a hint. `subject`: which rule, of the kind "syllabus"."""
    return f"what the rules say on {rule(subject)}" if kind == "syllabus" else str(_phrases()[kind])


def subjects() -> tuple[str, ...]:
    """The subjects of the rules, as syllabus.txt names them."""
    return tuple(_phrases()["syllabus"])


def rule(subject: str, language: str = "en") -> str:
    """A subject of syllabus.txt as one looks it up in a syllabus in this language. Raises KeyError for none of ours."""
    return str(_rules_in(language)[subject])


def looked_up(subject: str, language: str) -> str:
    """What is looked up in a syllabus in this language for a subject as hints and models name it, in English.

    Anything else is looked up as it is.
    """
    subjects = {str(english).casefold(): name for name, english in _rules_in("en").items()}
    name = subjects.get(subject.strip().casefold())
    return rule(name, language) if name else subject


def concerns(behaviour: str) -> str:
    """The dimension that a phrase of behaviours.txt is about, in any language; empty for no phrase of ours."""
    return _dimensions().get(behaviour, "")


@cache
def known(held_out: bool, language: str = "en") -> tuple[Known, ...]:
    """Every wording of one side of the split in a language."""
    alone = [_known(kind, line) for kind in kinds() for line in wordings(kind, held_out, language)]
    tabbed = (leaning(line) for line in wordings("follow_up", held_out, language))
    return (*alone, *(Known(wording, asks(kind, subject), True) for kind, subject, wording in tabbed))


def leaning(line: str) -> tuple[str, str, str]:
    """A line of follow_up.txt: the kind of question, of the kind "syllabus" its subject, and the wording."""
    kind, rest = line.split("\t", 1)
    subject, wording = rest.split("\t", 1) if kind == "syllabus" else ("", rest)
    return kind, subject, wording


@cache
def again() -> frozenset[str]:
    """What the kinds in `AGAIN` ask, in the words of a hint."""
    return frozenset(map(asks, AGAIN))


def kinds() -> tuple[str, ...]:
    """The kinds of question that stand alone, each the name of a file."""
    return tuple(name for name in _phrases() if name not in (*AGAIN, OF_TOPIC))


def _known(kind: str, line: str) -> Known:
    if kind == "syllabus":
        subject, wording = line.split("\t", 1)
        return Known(wording, asks(kind, subject))
    of_topic = kind == "prerequisites" and "{week}" not in line
    return Known(line, asks(OF_TOPIC if of_topic else kind))


@cache
def wordings(name: str, held_out: bool, language: str = "en") -> tuple[str, ...]:
    """The lines of a file on one side of the split: of `questions/fr/` for French, else of `questions/`."""
    folder = files("tools").joinpath("questions", *([language] if language in TRANSLATED else []))
    lines = folder.joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.strip() and _is_held_out(line) is held_out)


def _is_held_out(line: str) -> bool:
    return zlib.crc32(line.strip().lower().encode()) % HELD_OUT_SHARE == 0


@cache
def _dimensions() -> dict[str, str]:
    """From each phrase of a behaviour to its dimension."""
    files_of = [wordings("behaviours", side, each) for each in ("en", *TRANSLATED) for side in (False, True)]
    tabbed = (line.split("\t", 1) for lines in files_of for line in lines)
    return {phrase: dimension for dimension, phrase in tabbed}


@cache
def _rules_in(language: str) -> dict[str, Any]:
    if language not in TRANSLATED:
        return dict(_phrases()["syllabus"])
    rules = files("tools").joinpath("questions", language, "rules.toml")
    return tomllib.loads(rules.read_text(encoding="utf-8"))


@cache
def _phrases() -> dict[str, Any]:
    return tomllib.loads(files("tools").joinpath("questions", "kinds.toml").read_text(encoding="utf-8"))
