"""What students read around an answer, in the language of the question: `phrases_en.toml` and `phrases_fr.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from scribe.trajectory import Stop

ENGLISH = "English"
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
        """A key in plain words."""
        return self.keys.get(name, name.replace("_", " "))


@cache
def choose_phrases(language: str) -> Phrases:
    """The words for a question in this language (`Task.language`); English for any but French."""
    path = Path(__file__).with_name(_FILES.get(language, _FILES[ENGLISH]))
    return TypeAdapter(Phrases).validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
