"""All sentences that the composed reports may say, in all their alternatives."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from data.reports.phrasebook import read_words

_CHOICE = re.compile(r"\[([^\[\]]*)\]")


def list_phrases() -> Iterator[tuple[str, str]]:
    """Each sentence of phrases.toml with its place, such as `status.fail`."""

    def walk(node: Any, place: str) -> Iterator[tuple[str, str]]:
        if isinstance(node, dict):
            for key, value in node.items():
                yield from walk(value, f"{place}.{key}" if place else key)
        else:
            yield from ((place, phrase) for phrase in node)

    return walk(read_words("phrases.toml"), "")


def list_forms(phrase: str) -> Iterator[str]:
    """The phrase in all its alternatives."""
    parts = _CHOICE.split(phrase)  # text and choices take turns
    options = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return ("".join(words) for words in itertools.product(*options))
