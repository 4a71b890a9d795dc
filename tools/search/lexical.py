"""Texts by their words: how much of a query they cover, whatever the accents and, within reason, the spelling."""

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

from tools.search.coverage import Coverage, Shares
from tools.search.spelling import Speller
from tools.search.words import LONGEST, WORD, Words, folded

GRAM = 4


@dataclass(frozen=True)
class Lexical:
    """Texts by their words. Everything is made at the first query; queries may come from any thread."""

    texts: tuple[str, ...]
    words: Words

    def corrected(self, query: str) -> str:
        """The query with its misspelt words put right, all else untouched."""
        said = dict.fromkeys(self._asked(query))
        stems = dict(zip(said, self.words.stems(list(said)), strict=True))
        unknown = [word for word, stem in stems.items() if word not in self._known and stem not in self._stems.counts]
        right = self._speller.corrections(unknown)
        return WORD.sub(lambda match: right.get(folded(match[0]), match[0]), query) if right else query

    def coverage(self, query: str) -> Shares:
        """(texts,): the share of the query's words that each text holds, 0 to below 1."""
        return self._stems.of(self.words.stems(self._asked(query)))

    def likeness(self, query: str) -> Shares:
        """The same over runs of four letters, which also bring "urbain" near "urbanisation"."""
        return self._grams.of(grams(self._asked(query)))

    def _asked(self, query: str) -> list[str]:
        return self.words.telling(query)[:LONGEST]

    @property
    def stems(self) -> Set[str]:
        """The stems of all telling words of the texts."""
        return self._stems.counts.keys()

    @cached_property
    def _told(self) -> tuple[list[str], ...]:
        return tuple(self.words.telling(text) for text in self.texts)

    @cached_property
    def _stems(self) -> Coverage:
        return Coverage([self.words.stems(told) for told in self._told])

    @cached_property
    def _grams(self) -> Coverage:
        return Coverage([grams(told) for told in self._told])

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(word for text in self.texts for word in self.words.of(text))

    @cached_property
    def _speller(self) -> Speller:
        return Speller(tuple(sorted(self._known - self.words.fillers)))


def grams(words: list[str]) -> list[str]:
    """The runs of four letters of each word with a mark at its ends; a short word is one run."""
    marked = [f"_{word}_" for word in words]
    return [word[n : n + GRAM] for word in marked for n in range(max(len(word) - GRAM, 0) + 1)]
