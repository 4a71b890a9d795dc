"""What a word is."""

import re

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def split_words(text: str) -> list[str]:
    """The words of a text in their order, as they are written, without punctuation and numbers."""
    return WORD.findall(text)
