"""What a course's textbook speaks of: the words that students ask about, most of which are no topic of the plan."""

import re
from collections.abc import Iterable
from functools import lru_cache

from data.course import Section
from scribe.neighbours import ELIDED

_EMPHASISED = re.compile(r"\*([^*\n]+)\*")
_LONGEST_TERM = 40
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CLAUSE = re.compile(r"[^.,;:!?()\[\]\n*“”«»\"]+")
_LONGEST, _FEWEST_LETTERS = 2, 4
"""Words of a span at most; letters of its first and last word at least: shorter ones are articles and the like."""
_FORMULA = re.compile(r"[\d$=\\_^{}<>+/]")
_COMMON = 0.12
"""A word that a larger share of the sections uses says nothing about one of them."""


@lru_cache(maxsize=16)
def spans(sections: tuple[Section, ...]) -> tuple[str, ...]:
    """Emphasised terms, and one or two words that stand together in a clause; no formulas, in alphabetical order."""
    texts = [section.text for section in sections]
    used = [frozenset(word.casefold() for word in _WORD.findall(text)) for text in texts]
    often = max(1.0, _COMMON * len(used))
    common = {word for words in used for word in words if sum(word in each for each in used) > often}
    terms = (term.strip(" .,;:") for text in texts for term in _EMPHASISED.findall(text))
    found = {term for term in terms if 2 < len(term) <= _LONGEST_TERM and not _FORMULA.search(term)}
    for text in texts:
        for clause in _CLAUSE.findall(text):
            found |= set(_of_clause([ELIDED.sub("", word) for word in clause.split()], common))
    return tuple(sorted(found))


def _of_clause(words: list[str], common: set[str]) -> Iterable[str]:
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            first, last = words[start], words[end - 1]
            inside = words[start:end]
            if _tells(first, common) and _tells(last, common) and all(map(_WORD.fullmatch, inside)):
                yield " ".join(inside)


def _tells(word: str, common: set[str]) -> bool:
    return len(word) >= _FEWEST_LETTERS and word.casefold() not in common
