"""What the plain pages say, in English and French: `texts_en.toml`, `texts_fr.toml`, and the text of the consent."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.requests import HTTPConnection

from app.web.texts import LANGUAGES, prefer_language
from scribe.plumbing.errors import UsageError
from scribe.plumbing.toml_text import parse_toml

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ConsentText:
    """What is agreed to, in one language: a heading and paragraphs of plain text."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consent:
    """A version of the text in all languages. Another version has to be agreed to anew."""

    version: str
    en: ConsentText
    fr: ConsentText

    def choose(self, language: str) -> ConsentText:
        """The text in this language."""
        return self.fr if language == "fr" else self.en


def read_consent(path: Path = HERE / "consent.toml") -> Consent:
    """A consent from a TOML file: version, and tables en and fr with title and paragraphs. Raises UsageError."""
    try:
        return TypeAdapter(Consent).validate_python(parse_toml(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        first = str(error).replace("\n", " ")[:200]
        raise UsageError(f"the text of the consent, {path}, cannot be used: {first}") from error


@cache
def load_texts(language: str) -> Mapping[str, Any]:
    """All words of the pages in one language."""
    return tomllib.loads((HERE / f"texts_{language}.toml").read_text(encoding="utf-8"))


def choose_language(request: HTTPConnection) -> str:
    """`en` or `fr`: what the sign-in said, else what the browser likes better."""
    person = request.state.person
    if person is not None and person.language in LANGUAGES:
        return str(person.language)
    return prefer_language(request.headers.get("accept-language", ""))
