"""Search over short texts by meaning and by words, joined.

Meaning alone confuses neighbours that share most of their words ("DFT" and "DFS") and knows little French; words
alone find no paraphrase. Both are measured on a scale of their own, a cosine and a share of the query's weight, and
added: unlike ranks, the sum also says when nothing fits.
"""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tools.search.lexical_overlap import LexicalOverlap
from tools.search.text import LONGEST, LanguageWords
from tools.search.vector_store import VectorStore

WORDS, LETTERS = 0.5, 0.5
"""What a query covered in full by a text's words, and by their letters, would add to the cosine."""
FITS = 0.8
"""What covered words count beside the cosine where the question is whether anything fits at all."""
FOREIGN = 0.5
"""What a cosine counts in a language that the embedder was not made for: there all texts look somewhat alike."""
NAMED, NAMED_MORE = 0.3, 0.02
"""Added when an entry's name stands in the query, and more for each of its words."""
NAME_TIMES = 2
"""A word of a name counts as so many in the text: as much as one that the text keeps coming back to."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to be found: what it is called, the passages that say what it is about, and its words.

    The passages are compared by meaning, names and `text` by words; without a `text` these are the passages.
    """

    names: tuple[str, ...]
    passages: tuple[str, ...]
    text: str = ""

    @property
    def words(self) -> str:
        """What is compared word by word."""
        return " . ".join((*self.names * NAME_TIMES, self.text or " ".join(self.passages)))


@dataclass(frozen=True, slots=True)
class Hit:
    """A found entry: its place among the entries, its passages from the best on, and how well it is found.

    `score` ranks: a cosine, trusted less in a language that the embedder does not know, with common words, common
    letters and a name in the query (`named`). `fit`, cosine and common words alone, says whether it is about the query.
    """

    place: int
    passages: tuple[int, ...]
    score: float
    fit: float
    named: bool


@dataclass(frozen=True)
class Index:
    """Entries to search in; their vectors and words are read or made at the first search.

    An entry is as similar to a query as the mean of its `pool` most similar passages. Texts are read as of this
    `language`; with `by_words` False only names are compared word by word.
    """

    entries: tuple[Entry, ...]
    store: VectorStore
    pool: int = 1
    language: str = "en"
    by_words: bool = True

    def search(self, query: str, within: Collection[int] | None = None) -> tuple[Hit, ...]:
        """All entries (or those at the places `within`), best first; equals in their given order."""
        if not self.entries:
            return ()
        # Lone surrogates, which JSON may bring, are no text.
        said = unicodedata.normalize("NFC", query.encode(errors="replace").decode())
        # Only for the words: where they are few, spelling also changes what was right ("passing" to "pausing").
        spelled, none = self.lexical.correct(said), np.zeros(len(self.entries))
        words = self.lexical.measure_words(spelled) if self.by_words else none
        letters = self.lexical.measure_letters(spelled) if self.by_words else none
        named, trust = self._find_named(spelled), 1.0 if self.language in self.store.embedder.languages else FOREIGN
        hits = []
        for place, rows in self._rank(said).items():
            if within is None or place in within:
                cosine = sum(score for score, _ in rows[: self.pool]) / len(rows[: self.pool])
                score = trust * cosine + WORDS * float(words[place]) + LETTERS * float(letters[place])
                score += NAMED + NAMED_MORE * named[place] if place in named else 0.0
                passages = tuple(number for _, number in rows)
                hits.append(Hit(place, passages, score, cosine + FITS * float(words[place]), place in named))
        return tuple(sorted(hits, key=lambda hit: (-round(hit.score, 4), hit.place)))

    def _rank(self, query: str) -> dict[int, list[tuple[float, int]]]:
        """For each place the similarities and numbers of its passages, best first."""
        vector = self.store.embedder.embed([query], role="query")
        scores, rows = self._flat.search(vector, self._flat.ntotal)
        ranked: dict[int, list[tuple[float, int]]] = {}
        for row, score in zip(rows[0].tolist(), scores[0].tolist(), strict=True):
            place, passage = self._owners[row]
            ranked.setdefault(place, []).append((score, passage))
        return ranked

    @cached_property
    def lexical(self) -> LexicalOverlap:
        """The entries by their words."""
        texts = tuple(entry.words for entry in self.entries)
        return self.store.once(
            (LexicalOverlap, self.language, texts), lambda: LexicalOverlap(texts, LanguageWords(self.language))
        )

    def _find_named(self, query: str) -> dict[int, int]:
        """The places of the entries of which a name stands in the query, with the words of the longest such name."""
        words = self.lexical.words
        asked = _join(words.stems(words.split(query)[:LONGEST]))
        spoken = (
            (place, [len(name) for name in names if name and _join(name) in asked])
            for place, names in enumerate(self._names)
        )
        return {place: max(lengths) for place, lengths in spoken if lengths}

    @cached_property
    def _names(self) -> list[list[list[str]]]:
        """The stems of each entry's names: a name counts word by word, in any inflected form."""
        words = self.lexical.words
        return [[words.stems(words.split(name)) for name in entry.names] for entry in self.entries]

    @cached_property
    def _owners(self) -> tuple[tuple[int, int], ...]:
        """Of each vector, the place of its entry and the number of its passage there."""
        return tuple((p, n) for p, entry in enumerate(self.entries) for n in range(len(entry.passages)))

    @cached_property
    def _flat(self) -> Any:
        return self.store.flat([text for entry in self.entries for text in entry.passages])


def _join(stems: Sequence[str]) -> str:
    return f" {' '.join(stems)} "
