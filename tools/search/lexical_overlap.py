"""Texts by their words: how much of a query they cover, whatever the accents and, within reason, the spelling."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import bm25s
import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from tools.search.text import LONGEST, WORD, LanguageWords, folded

K1, B = 1.2, 0.5
UNKNOWN = 0.75
"""What a token that no text has counts in what there is to cover, as a part of the rarest token's weight."""
GRAM = 4
SHORTEST = 5
"""Shorter words must be spelled right: one letter apart, DFT is DFS."""
CLOSE = 0.78
"""Similarity from which a word is taken for a misspelt other: about one wrong letter in five."""
MOST = 24
"""Unknown words of one query that are looked up; the rest stays as it is."""

Shares = NDArray[np.float64]


@dataclass(frozen=True)
class TokenOverlap:
    """How much of a query each text covers, by BM25 (Robertson and Zaragoza, 2009) over tokens of any kind."""

    texts: Sequence[Sequence[str]]

    def measure(self, asked: Sequence[str]) -> Shares:
        """(texts,): the share of the weight of these tokens that each text holds, 0 to below 1.

        The weight of a token is ln(1 + (N - n + 0.5) / (n + 0.5)), n of the N texts having it; a text holds
        f / (f + K1 (1 - B + B length / mean length)) of it for f occurrences, which is BM25 as Lucene computes it.
        """
        whole = sum(map(self._weigh, asked))
        known = [token for token in asked if token in self.counts]
        if not known:
            return np.zeros(len(self.texts))
        shares: Shares = self._bm25.get_scores(known).astype(np.float64) / whole
        return shares

    @cached_property
    def counts(self) -> Counter[str]:
        """In how many texts each token stands."""
        return Counter(token for tokens in self.texts for token in set(tokens))

    def _weigh(self, token: str) -> float:
        number = self.counts.get(token, 0)
        weight = math.log1p((len(self.texts) - number + 0.5) / (number + 0.5))
        return weight if number else UNKNOWN * weight

    @cached_property
    def _bm25(self) -> Any:
        made = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
        made.index([list(tokens) for tokens in self.texts], show_progress=False)
        return made


@dataclass(frozen=True)
class LexicalOverlap:
    """Texts by their words. Everything is made at the first query; queries may come from any thread."""

    texts: tuple[str, ...]
    words: LanguageWords

    def correct(self, query: str) -> str:
        """The query with its misspelt words put right, all else untouched."""
        said = dict.fromkeys(self._asked(query))
        stems = dict(zip(said, self.words.stems(list(said)), strict=True))
        unknown = [word for word, stem in stems.items() if word not in self._known and stem not in self._stems.counts]
        right = _correct_spelling(unknown, self._spelled)
        return WORD.sub(lambda match: right.get(folded(match[0]), match[0]), query) if right else query

    def measure_words(self, query: str) -> Shares:
        """(texts,): the share of the query's words that each text holds, 0 to below 1."""
        return self._stems.measure(self.words.stems(self._asked(query)))

    def measure_letters(self, query: str) -> Shares:
        """The same over runs of four letters, which also bring "urbain" near "urbanisation"."""
        return self._grams.measure(split_grams(self._asked(query)))

    def _asked(self, query: str) -> list[str]:
        return self.words.split_telling(query)[:LONGEST]

    @cached_property
    def _telling(self) -> tuple[list[str], ...]:
        return tuple(self.words.split_telling(text) for text in self.texts)

    @cached_property
    def _stems(self) -> TokenOverlap:
        return TokenOverlap([self.words.stems(words) for words in self._telling])

    @cached_property
    def _grams(self) -> TokenOverlap:
        return TokenOverlap([split_grams(words) for words in self._telling])

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(word for text in self.texts for word in self.words.split(text))

    @cached_property
    def _spelled(self) -> tuple[str, ...]:
        return tuple(sorted(self._known - self.words.fillers))


def split_grams(words: list[str]) -> list[str]:
    """The runs of four letters of each word with a mark at its ends; a short word is one run."""
    marked = [f"_{word}_" for word in words]
    return [word[n : n + GRAM] for word in marked for n in range(max(len(word) - GRAM, 0) + 1)]


def _correct_spelling(words: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """For each of these words that has a close known one, that one; among equals the first."""
    found = {}
    for word in [word for word in words if len(word) >= SHORTEST][:MOST]:
        best = process.extractOne(word, known, scorer=OSA.normalized_similarity, score_cutoff=CLOSE)
        if best:
            found[word] = best[0]
    return found
