"""Words found also where they are spelled with characters that look the same, or with invisible ones between.

Software that reads a text after us may take such spellings for the plain one: full width, mathematical and other
compatible forms (NFKC of Unicode), and characters that nobody sees.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_HIDDEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0"
"""Invisible, but of other categories than format characters; variation selectors are marks too."""


def replace_spelled(pattern: "re.Pattern[str]", change: Callable[[str], str], text: str) -> str:
    """The text with whatever the pattern finds replaced, however it is spelled; `change` gets it as it stands there."""
    if text.isascii():
        return pattern.sub(lambda match: change(match[0]), text)
    plain = [_fold(each) for each in text]
    folded = "".join(plain)
    places: list[int] = []
    made: list[str] = []
    end = 0
    for match in pattern.finditer(folded):
        places = places or [place for place, each in enumerate(plain) for _ in each]
        first, last = places[match.start()], places[match.end() - 1] + 1
        if match.end() > match.start() and first >= end:
            made += [text[end:first], change(text[first:last])]
            end = last
    return "".join([*made, text[end:]])


@lru_cache(maxsize=4096)
def _fold(letter: str) -> str:
    """The plain letters that this one may be read as, none if it is invisible; itself where these are none of ASCII."""
    if letter in _HIDDEN or unicodedata.category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f":
        return ""
    apart = unicodedata.normalize("NFKC", letter)
    return apart if apart.isascii() else letter
