"""The words of the chat page in its languages."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr")


@cache
def load_page_texts(language: str) -> Mapping[str, Any]:
    """All words of the page in a language, `en` or `fr`."""
    return tomllib.loads(Path(__file__).with_name(f"texts_{language}.toml").read_text(encoding="utf-8"))


def prefer_language(header: str) -> str:
    """The language of ours that an Accept-Language header likes best; English if it names none."""
    best, chosen = 0.0, LANGUAGES[0]
    for part in header.split(",")[:20]:
        name, _, weight = part.strip().partition(";q=")
        language = name.split("-")[0].lower()
        try:
            value = float(weight or 1)
        except ValueError:
            continue
        if language in LANGUAGES and value > best:
            best, chosen = value, language
    return chosen
