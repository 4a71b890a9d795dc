"""What the scripted expert says in its own words, in the course's language."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from tools import known_questions

ENGLISH = "English"


def sentence(language: str, name: str, **values: object) -> str:
    """A sentence of `sentences.toml`; in English where there is none in this language."""
    return str(_all().get(language, _all()[ENGLISH])[name]).format(**values)


def rule(language: str, subject: str) -> str:
    """A subject of the rules as one looks it up in a syllabus of this language."""
    told: dict[str, str] = _all().get(language, {}).get("rules", {})
    return told.get(subject) or known_questions.rule(subject)


def spoken(language: str) -> bool:
    """Whether the expert has sentences in this language."""
    return language in _all()


@cache
def _all() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("sentences.toml").read_text(encoding="utf-8"))
