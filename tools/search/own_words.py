"""A query that went astray gives way to the words of the question that it was made for."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from tools.search.index import Hit, Index
from tools.search.words import ENGLISH, WORD, Words, folded

CLEAR = 0.08
"""So much more than a poor fit is needed to put the student's words in the place of a sensible query."""
LINK = 4
"""Fillers of at most so many letters stay between two telling words: "transformée de Fourier"."""

# What a question that leans on the one before is made of.
_LEANING = """
    also another chapter course detail details else example examples first further last lesson more next now section
    second some subject textbook then third this that thing topic week weeks
    autre chapitre cours deuxieme detail details ensuite exemple exemples lecon manuel maintenant meme pareil precedent
    premier prochain second section semaine semaines suivant suivante sujet theme troisieme
"""

Search = Callable[[str], tuple[Hit, ...]]


@dataclass(frozen=True, slots=True)
class Found:
    """The words that were searched with in the end, and what they found."""

    subject: str
    hits: tuple[Hit, ...]

    def fits(self, poor: float) -> bool:
        """Whether the best hit is named, or fits at least so well."""
        return bool(self.hits) and (self.hits[0].named or self.hits[0].fit >= poor)


def found(index: Index, search: Search, query: str, asked: str, poor: float) -> Found:
    """What the query finds, or what the question `asked` finds where the query strayed or finds nothing."""
    first, own = Found(query, search(query)), gist(asked, index.language)
    if not own:
        return first
    lost = strayed(index, query, asked) and not any(hit.named for hit in first.hits)
    if not lost and first.fits(poor):
        return first
    second = Found(own, search(own))
    if second.fits(poor if lost else poor + CLEAR):
        return second
    return second if lost and not first.fits(poor) else first


def strayed(index: Index, query: str, asked: str) -> bool:
    """Whether no word of the query stands in the question or in the course; a garbled word stands in neither.

    Single letters and numbers tell nothing: nearly every text holds some.
    """
    words = index.lexical.words
    said = set(words.stems([word for word in words.telling(query) if len(word) > 1 and not word.isdigit()]))
    return not said & set(words.stems(words.telling(asked))) and not said & index.lexical.stems


def gist(asked: str, language: str) -> str:
    """The telling words of a question as they were written, with what links two of them.

    Without numbers: what a tool repeats of the question would make the student's own numbers facts.
    """
    # Some students ask in English in a course of another language.
    fillers = Words(language).fillers | Words(ENGLISH).fillers | set(_LEANING.split())
    written = (match[0] for match in WORD.finditer(unicodedata.normalize("NFC", asked)))
    said = [word for word in written if not any(map(str.isdigit, word))]
    telling = [place for place, word in enumerate(said) if folded(word) not in fillers]
    kept = {place for pair in pairwise(telling) for place in _between(said, *pair)}
    return " ".join(said[place] for place in sorted(kept.union(telling)))


def _between(said: list[str], start: int, end: int) -> range:
    """The places between these two, if a name could go through them."""
    links = said[start + 1 : end]
    return range(start + 1, end if len(links) <= 2 and all(len(link) <= LINK for link in links) else start + 1)
