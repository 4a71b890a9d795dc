"""The words and letters of a question, hashed, so that a network can read any language that it has examples of.

Words, neighbouring words, and three to five letters in a row within a word (fastText's way, Bojanowski et al. 2017):
what is misspelt, bent or glued together still shares most of its letters with what is known.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BUCKETS = 1 << 15
LETTERS = (3, 4, 5)
_WORD = re.compile(r"\d+|[^\W\d_]+|[?!]")
MOST_WORDS = 120


def places(text: str) -> NDArray[np.int64]:
    """The buckets, each from 0 to BUCKETS - 1, of the features of a text; those of its first 120 words."""
    return np.array([zlib.crc32(each.encode()) % BUCKETS for each in features(text)], np.int64)


def features(text: str) -> Iterator[str]:
    """Words, pairs of words and letters in a row; without accents and capitals, all numbers alike."""
    words = [_plain(word) for word in _WORD.findall(unicodedata.normalize("NFC", text))[:MOST_WORDS]]
    yield from words
    yield from (f"{one} {other}" for one, other in zip(["<", *words], [*words, ">"], strict=True))
    for word in words:
        if word.isalpha():
            edged = f"<{word}>"
            yield from (edged[at : at + n] for n in LETTERS for at in range(len(edged) - n + 1))


def _plain(word: str) -> str:
    if word[0].isdigit():
        return "#"
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
