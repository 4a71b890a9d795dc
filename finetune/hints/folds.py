"""Hints for training questions: each from a head that was trained without the question's wording.

These heads stand on MiniLM as it comes, and the one in use on a changed one (`tuning`), which reads better: a pupil of
these trusts hints a little less than it could. Four of the others would take two hours.
"""

import zlib
from collections.abc import Callable, Sequence

from finetune.hints.network import train
from finetune.hints.sample import Sample
from scribe.trajectory import Exchange
from tools.embedder import Embedder
from tools.reading.hints import AND, Hints, worded
from tools.reading.reader import Head

FOLDS, WITHOUT = 4, 20

Hinting = Callable[[str, Sequence[Exchange], Sequence[str], str], str]
"""From a question, what went before, the wordings that these and it were made from (its own last), and of two things
that are asked in one breath the wording of the second (else empty), to the hint."""


def fold(given: Sample, fingerprint: str, number: int) -> Head:
    """The head of one fold, which has seen the wordings of all others."""
    pairs = zip(given.known, given.others, strict=True)
    kept = [number not in {_fold(one.wording) for one in pair if one} for pair in pairs]
    return train(given.only(kept), fingerprint, number)


def by_fold(heads: Sequence[Head], embedder: Embedder) -> Hinting:
    """Hints from the heads of all folds, in their order.

    A head that knows the wording is nearly always right, and its pupil would trust hints too much. One question
    in `WITHOUT` gets no hint, so that the pupil learns to read too.
    """
    hints = [Hints(embedder, head) for head in heads]

    def hinting(question: str, history: Sequence[Exchange], wordings: Sequence[str], second: str) -> str:
        if zlib.crc32(question.encode()) % WITHOUT == 0:
            return ""
        own = hints[_fold(wordings[-1])]
        # A generated question follows one other at most, which its own fold reads too.
        before = hints[_fold(wordings[-2])].before(history) if history else None
        if two := own.two(question, before, hints[_fold(second or wordings[-1])]):
            return AND.join(two)
        return worded(own.readings(question, before), before or "")

    return hinting


def plain(embedder: Embedder, head: Head) -> Hinting:
    """Hints for questions of held-out wordings, as they are made when the model is in use."""
    hints = Hints(embedder, head)
    return lambda question, history, _, __: hints(question, history)


def _fold(wording: str) -> int:
    return zlib.crc32(wording.encode()) % FOLDS
