"""Misspelt words of a query, put right after the words that the texts use."""

from collections.abc import Collection
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

SHORTEST = 5
"""Shorter words must be spelled right: one letter apart, DFT is DFS."""
CLOSE = 0.78
"""Similarity from which a word is taken for a misspelt other: about one wrong letter in five."""
MOST = 24
"""Unknown words of one query that are looked up; the rest stays as it is."""


@dataclass(frozen=True, slots=True)
class Speller:
    """Knows the words of the texts, folded, in a fixed order."""

    known: tuple[str, ...]

    def corrections(self, words: Collection[str]) -> dict[str, str]:
        """For each unknown word that has a close known one, that one; among equals the first."""
        unknown = [word for word in dict.fromkeys(words) if len(word) >= SHORTEST][:MOST]
        found = ((word, self._closest(word)) for word in unknown)
        return {word: close for word, close in found if close is not None}

    def _closest(self, word: str) -> str | None:
        best = process.extractOne(word, self.known, scorer=OSA.normalized_similarity, score_cutoff=CLOSE)
        return best[0] if best else None
