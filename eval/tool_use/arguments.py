"""Whether a call gives what its question requires: the same number, or a text that holds the one required."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from eval.tool_use.asked import Required
from scribe.tool import coerce


def right(required: Required, given: Mapping[str, Any]) -> bool:
    """Whether all that is required is given, read as tools read it ("5" and "week 5" are 5); more may be given."""
    types = {name: {"type": "integer" if isinstance(each, int) else "string"} for name, each in required.items()}
    read, _ = coerce(given, {"properties": types, "required": []})
    return all(_holds(read.get(name), each) for name, each in required.items())


def _holds(given: Any, required: int | str) -> bool:
    if isinstance(required, int):
        return given == required and not isinstance(given, bool)
    return isinstance(given, str) and _plain(required) in _plain(given)


def _plain(text: str) -> str:
    """The text however it was typed: one form of each letter, no capitals, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
