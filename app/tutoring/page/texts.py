"""The words of the tutor's page in its languages."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scribe.tutor.session import Language

HERE = Path(__file__).parent
SPOKEN: Mapping[str, Language] = {"en": "English", "fr": "French"}
"""What a session calls the languages of the pages."""


@cache
def load_tutor_texts(language: str) -> Mapping[str, Any]:
    """All words of the page in a language, `en` or `fr`."""
    return tomllib.loads((HERE / f"texts_{language}.toml").read_text(encoding="utf-8"))
