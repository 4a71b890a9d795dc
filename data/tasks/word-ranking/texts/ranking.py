"""Which words are frequent."""

from texts.words import split_words

STOP_WORDS = {"a", "and", "in", "is", "it", "of", "the", "to"}
"""Words, in small letters, that say nothing about a text."""


def top_words(text: str, count: int) -> list[tuple[str, int]]:
    """The most frequent words with their numbers, at most `count`, ties in alphabetical order."""
    raise NotImplementedError
