"""The sentences of the rules that answer a student's own question, wherever in the rules they stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from data.course import Section
from tools.details.rules_details import wanted
from tools.search.index import Entry, Index
from tools.search.vault import Vault
from tools.wording import sentences

Scores = NDArray[np.float64]

LONGEST = 300
POOR = 0.2
"""Less like the question than this is about something else."""
NAMED = 0.3
"""Added to the sentences of the section that the query names."""
ABOUT, DETAIL = 0.25, 0.4
"""Added for a section that treats what the question names, and for a sentence that holds the detail it wants."""
ELSEWHERE = 0.2
"""The latter in a section that neither the query nor the question names."""
CLOSE = 0.15
"""A second sentence that is less good by no more than this may be the answer too."""


_POINTS_BACK = re.compile(
    r"(?:It|They|This|These|Those|Both|There|Il|Ils|Elle|Elles|Cela|Ceux-ci|Celui-ci|Celle-ci|Tous|Toutes)\b"
    r"(?! y a\b| faut\b)"
)


@dataclass(frozen=True, slots=True)
class Found:
    """What to quote: sentences, the best first unless it needs the one before, and the place of the section."""

    section: int
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Sentences:
    """All sentences of a course's rules; made ready at the first question."""

    syllabus: Sequence[Section]
    vault: Vault
    language: str = "en"

    def answering(self, asked: str, named: int) -> Found | None:
        """The best one or two for this question; None if nothing in it says which. `named` is the query's section."""
        question = " ".join(asked.split())[:LONGEST]
        if not self._told or not any(letter.isalnum() for letter in question):
            return None
        detail = np.array(wanted(question, self._texts, "detail"))
        about = np.array(wanted(question, self._titles, "about"))[self._owners]
        meant = self._owners == named
        trusted = np.where(meant | (about > 0), DETAIL, ELSEWHERE)
        scores = self._likeness(question) + NAMED * meant + ABOUT * about + trusted * detail
        best = int(np.argmax(scores))
        if detail[best]:
            return self._found(best, scores, scores >= scores[best] - CLOSE)
        # No detail is wanted that we know of, and likeness alone is often chance: only where question or query point.
        return self._within(np.flatnonzero(meant | (about > 0)), scores)

    def _within(self, pointed: NDArray[np.int64], scores: Scores) -> Found | None:
        """The best of these sentences, and the first of its section."""
        if not pointed.size:
            return None
        best = int(pointed[np.argmax(scores[pointed])])
        # Nothing in common with any: the query knows better.
        if scores[best] < NAMED + POOR:
            return None
        own = np.flatnonzero(self._owners == self._owners[best])
        others = np.isin(np.arange(len(scores)), own if best == own[0] else own[:1])
        return self._found(best, scores, others)

    def _found(self, best: int, scores: Scores, others: NDArray[np.bool_]) -> Found:
        """The best sentence and the best of these others after it; where it points back, after what it points at."""
        if _POINTS_BACK.match(self._texts[best]) and best and self._owners[best - 1] == self._owners[best]:
            return Found(int(self._owners[best]), (self._texts[best - 1], self._texts[best]))
        second = [place for place in np.argsort(-scores, kind="stable").tolist() if others[place] and place != best]
        return Found(int(self._owners[best]), tuple(self._texts[place] for place in (best, *second[:1])))

    def _likeness(self, question: str) -> Scores:
        likeness = np.zeros(len(self._told))
        for hit in self._index.search(question):
            likeness[hit.place] = hit.score
        return likeness

    @cached_property
    def _told(self) -> tuple[tuple[int, str], ...]:
        """Each sentence, after the place of its section."""
        return tuple((place, each) for place, section in enumerate(self.syllabus) for each in sentences(section.text))

    @cached_property
    def _owners(self) -> NDArray[np.int64]:
        return np.array([place for place, _ in self._told], dtype=np.int64)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(told for _, told in self._told)

    @cached_property
    def _titles(self) -> tuple[str, ...]:
        return tuple(section.title for section in self.syllabus)

    @cached_property
    def _index(self) -> Index:
        entries = tuple(Entry((), (f"{self.syllabus[place].title}. {told}", told)) for place, told in self._told)
        return Index(entries, self.vault, 1, self.language)
