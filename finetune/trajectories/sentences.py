"""What the scripted expert says in its own words, in the course's language."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

ENGLISH = "English"


def sentence(language: str, name: str, **values: object) -> str:
    """A sentence of `sentences.toml`; in English where there is none in this language."""
    return str(_all().get(language, _all()[ENGLISH])[name]).format(**values)


def dimension(language: str, name: str) -> str:
    """A dimension of behaviour as tools call it in this language, in small letters."""
    names: dict[str, str] = _all().get(language, {}).get("dimension", {})
    return names.get(name, name)


def spoken(language: str) -> bool:
    """Whether the expert has sentences in this language."""
    return language in _all()


@cache
def _all() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("sentences.toml").read_text(encoding="utf-8"))
