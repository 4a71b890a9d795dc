"""Swapped words: the same tail with other rare words and numbers in it, so that copying is learned for all of them.

The network copies well what it saw often. Here a token that the tail's own text is copied from, a word of the
question or a number of a tool's result, becomes a random other one at all its places, anew at each draw: what to
write is then found in the text alone, and every token of the vocabulary gets its turn.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import decoders

from finetune.examples import Ids, Tail
from finetune.vocabulary import SPACE

RARE = 0.02
"""Word pieces in fewer of the tails than this are content; what is more frequent is how the model speaks."""
SHARE = 0.4
"""Of the tails, how many are changed at all."""
EACH = 0.7
"""Of the copied words of a changed tail, how many are replaced."""
LEAST = 16
"""Smaller numbers are weeks, ranks and counts that other words depend on."""
TRIES = 20
"""How often another word is drawn when the one before is in the tail already; then the old one stays."""
WEEKS = ("week", "weeks", "Week", "Weeks", "semaine", "semaines", "Semaine", "Semaines", "S")
_PIECE = re.compile(rf"(?P<before>[{SPACE}!-@\[-`{{-~]?)(?P<letters>[^\x00-@\[-`{{-~{SPACE}\u010a]+)")
"""Letters, those beyond ASCII as bytes, behind a space or a sign at most, which the tokenizer takes with a word."""

Flags = NDArray[np.bool_]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a replacement has in common with what it replaces; for numbers `capital` means no leading zero."""

    digits: int
    spaced: bool
    capital: bool


class Swaps:
    """Replaces copied words and numbers of a tail by random others; built from all tails and the vocabulary."""

    def __init__(self, tails: Iterable[Tail], vocabulary: Mapping[str, int]) -> None:
        self._size = max(vocabulary.values()) + 1
        rare = _rare(tails, self._size)
        kinds = {i: kind for token, i in vocabulary.items() if (kind := _kind(token)) and (kind.digits or rare[i])}
        self._kinds = kinds
        written = {i: _PIECE.fullmatch(token) for token, i in vocabulary.items()}
        self._letters = {i: found["letters"].lower() if found else "" for i, found in written.items()}
        self._begins = {i: bool(found and found["before"]) for i, found in written.items()}
        self._content = _flags(kinds, self._size)
        self._twins = _twins(vocabulary, self._size)
        self._pools = {kind: _pool(i for i in kinds if kinds[i] == kind) for kind in set(kinds.values())}
        # A word behind a space and the same behind a quote are one word, which goes by the latter's id.
        self._words = np.arange(self._size)
        paired = [i for i in kinds if kinds[i].spaced and self._twins[i] >= 0 and self._content[self._twins[i]]]
        self._words[paired] = self._twins[paired]
        self._pairs = {kind: _pool(i for i in paired if kinds[i] == kind) for kind in set(kinds.values())}
        weeks = (vocabulary.get(mark + word) for word in WEEKS for mark in ("", SPACE))
        self._weeks = _flags((i for i in weeks if i is not None), self._size)
        self._numbers = _flags((i for i in kinds if kinds[i].digits), self._size)
        self._blank = vocabulary.get(SPACE, -1)

    def __call__(self, tail: Tail, random: np.random.Generator) -> Tail:
        """The tail with other words, or as it is; weights stay, and the given tail is not changed."""
        if random.random() >= SHARE or not len(tail.ids):
            return tail
        words = self._copied(tail)
        words = words[random.random(len(words)) < EACH]
        if not len(words):
            return tail
        table = self._table(tail.ids, words, random)
        return Tail(table[tail.ids], tail.weights)

    def _copied(self, tail: Tail) -> Places:
        """The words (K,) that may be replaced: read in what the model does not write, then written by it."""
        words, places = self._words[tail.ids], np.arange(len(tail.ids))
        first, last = np.full(self._size, len(words)), np.full(self._size, -1)
        read, written = tail.weights < 1, tail.weights == 1
        # Of several places of a word the one assigned last stays: read backwards, that is the first.
        first[words[read][::-1]] = places[read][::-1]
        last[words[written]] = places[written]
        copied = (first < last) & self._content
        copied[self._numbers_of_weeks(tail.ids)] = False
        copied[self._torn(tail.ids)] = False
        return np.flatnonzero(copied)

    def _torn(self, ids: Ids) -> list[int]:
        """Pieces of a word that is spelled in several ways here, without some of them: replacing these would
        leave the other spellings behind, as " receiver" in a question and "re" + "ceiver" behind a quote.
        """
        spellings: dict[str, set[tuple[int, ...]]] = defaultdict(set)
        text, pieces = "", list[int]()
        for i, piece in zip(ids.tolist(), self._words[ids].tolist(), strict=True):
            letters = self._letters[i]
            if self._begins[i] or not letters:
                spellings[text].add(tuple(pieces))
                text, pieces = "", []
            if letters:
                text += letters
                pieces.append(piece)
        spellings[text].add(tuple(pieces))
        spellings.pop("", None)
        several = [[set(way) for way in ways] for ways in spellings.values() if len(ways) > 1]
        return [i for ways in several for i in set[int]().union(*ways) - ways[0].intersection(*ways)]

    def _numbers_of_weeks(self, ids: Ids) -> Ids:
        """The numbers right behind a word for week: which weeks there are is known from the course."""
        behind = self._weeks[ids[:-1]]
        apart = behind[:-1] & (ids[1:-1] == self._blank)
        found: Ids = np.concatenate([ids[1:][behind], ids[2:][apart]])
        return found[self._numbers[found]]

    def _table(self, ids: Ids, words: Places, random: np.random.Generator) -> Ids:
        """What becomes of each token id (V,)."""
        table = np.arange(self._size, dtype=np.int32)
        present = _flags(ids, self._size)
        taken = present.copy()
        twins = self._twins[ids]
        taken[twins[twins >= 0]] = True
        for word in words.tolist():
            twin = int(self._twins[word])
            beside = twin >= 0 and bool(present[twin] and self._content[twin])
            # Both spellings are replaced by both of another word; one alone by its like.
            both = beside and bool(present[word])
            old = twin if beside else word
            new = _draw((self._pairs if both else self._pools)[self._kinds[old]], taken, random)
            if new is None:
                continue
            table[old], other = new, int(self._twins[new])
            taken[[new, other] if other >= 0 else new] = True
            if both:
                table[word] = other
        return table


def _draw(pool: Places, taken: Flags, random: np.random.Generator) -> int | None:
    """One of the pool that is not taken, or None if none was found."""
    if not len(pool):
        return None
    for _ in range(TRIES):
        new = int(pool[int(random.random() * len(pool))])
        if not taken[new]:
            return new
    return None


def _kind(token: str) -> Kind | None:
    """The kind of a token that can be content; None for all others: punctuation, bytes, control tokens."""
    if token.isascii() and token.isdigit():
        large = len(token) in (2, 3) and int(token) >= LEAST
        return Kind(len(token), False, token[0] != "0") if large else None
    # Letters beyond ASCII are spelled by their bytes; a part of a letter decodes to a sign that is no letter.
    text: str = decoders.ByteLevel().decode([token])
    word = text.removeprefix(" ")
    return Kind(0, word != text, word[0].isupper()) if len(word) >= 2 and word.isalpha() else None


def _rare(tails: Iterable[Tail], size: int) -> Flags:
    """Of each id (V,) whether few tails have it."""
    counts, total = np.zeros(size, np.int64), 0
    for tail in tails:
        counts += _flags(tail.ids, size)
        total += 1
    rare: Flags = counts < RARE * max(total, 1)
    return rare


def _twins(vocabulary: Mapping[str, int], size: int) -> Places:
    """Of each id (V,) that of the same letters with or without a space before them, -1 if there is none."""
    twins = np.full(size, -1)
    for token, i in vocabulary.items():
        if (other := vocabulary.get(SPACE + token)) is not None and token:
            twins[i], twins[other] = other, i
    return twins


def _pool(ids: Iterable[int]) -> Places:
    """In order, so that what is drawn does not depend on the vocabulary's order in memory."""
    return np.array(sorted(ids), np.int64)


def _flags(ids: Iterable[int] | Ids, size: int) -> Flags:
    flags = np.zeros(size, np.bool_)
    flags[ids if isinstance(ids, np.ndarray) else list(ids)] = True
    return flags
