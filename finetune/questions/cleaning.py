"""Which questions go before anything is learned from them, and why: by length, and as near-duplicates.

Two questions of a student that name other numbers are different questions, however alike their words: the same of week
3 and of week 4 has other answers. So words and meaning are compared only where the numbers agree.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz

from finetune.questions.row import Row
from tools.embedder import Embedder

SHORT, LONG = "shorter than real questions", "longer than real questions"
SAME, ALIKE, MEANING = "asked already", "words nearly the same", "meaning nearly the same"
OFTEN = "these words are in the file too often"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A question that is left out, with the reason and, for a duplicate, the id of the one that stays."""

    row: Row
    reason: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """shortest, longest: words. alike: percent. meaning: cosine, 0 for not compared. repeats: in the whole file."""

    shortest: int
    longest: int
    alike: float = 90.0
    meaning: float = 0.97
    repeats: int = 20


def clean(rows: Iterable[Row], bounds: Bounds, embedder: Embedder) -> tuple[list[Row], list[Dropped]]:
    """What stays, and what does not, each in its order. Of two that are alike the earlier one stays.

    Small talk may be as short as it is: no question was left to compare it with, and "hi" wants an answer too.
    """
    kept: list[Row] = []
    dropped: list[Dropped] = []
    often: Counter[str] = Counter()
    groups: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    given = list(rows)
    meanings = _Meanings(embedder, bounds.meaning, [row.question for row in given])
    for row in given:
        words, bare = len(row.question.split()), plain(row.question)
        beside = groups[(row.course, row.student, *_numbers(row.question))]
        if words > bounds.longest or (words < bounds.shortest and row.intent != "smalltalk"):
            dropped.append(Dropped(row, LONG if words > bounds.longest else SHORT))
        elif twin := _twin(row, beside, bounds.alike):
            dropped.append(twin)
        elif other := meanings.like(row, beside):
            dropped.append(Dropped(row, MEANING, other.id))
        elif often[bare] >= bounds.repeats:
            dropped.append(Dropped(row, OFTEN))
        else:
            often[bare] += 1
            beside.append(row)
            kept.append(row)
    return kept, dropped


def plain(text: str) -> str:
    """The text without what typing changes: capitals, punctuation, white space."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(sorted(re.findall(r"\d+", text)))


def _twin(row: Row, beside: Sequence[Row], alike: float) -> Dropped | None:
    """The row as dropped, if one of the others is the same in words, with the same said before."""
    text = plain(row.question)
    for other in beside:
        if row.history == other.history:
            score = fuzz.ratio(text, plain(other.question), score_cutoff=min(alike, 100.0))
            if score >= alike:
                return Dropped(row, SAME if score == 100 else ALIKE, other.id)
    return None


class _Meanings:
    """Compares meanings; all are embedded at once, which is several times as fast as one by one."""

    def __init__(self, embedder: Embedder, least: float, texts: Sequence[str]) -> None:
        self._least = least
        each = list(dict.fromkeys(texts)) if least else []
        self._vectors = dict(zip(each, embedder.embed(each), strict=True)) if each else {}

    def like(self, row: Row, beside: Sequence[Row]) -> Row | None:
        others = [other for other in beside if row.history == other.history] if self._least else []
        if not others:
            return None
        cosines = np.stack([self._vectors[other.question] for other in others]) @ self._vectors[row.question]
        best = int(np.argmax(cosines))
        return others[best] if cosines[best] >= self._least else None
