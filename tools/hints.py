"""What a question seems to ask, in a few words, as a hint for the model.

A small language model reads a question it has never seen in that form worse than a sentence embedder compares
it with thousands of known ones. So a two-layer network over the question's embedding, trained by
`finetune.hints` on the known wordings, names what is likeliest, and the prompt carries that behind the question.
It is advice, not a route: the model sees wrong hints in training too, and decides itself.
"""

import logging
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scribe.errors import ModelFileError
from scribe.trajectory import Exchange
from tools.embedder import Embedder, Vectors
from tools.known_questions import SAME, asks

log = logging.getLogger(__name__)

MOST, OR = 3, "; or "
WORTH_NAMING = 0.12
"""Probability from which another reading than the likeliest is named too."""
LEANING = " (leaning)"
LEANS = 0.3
"""Probability from which a question is read together with the one before: leaving that out harms most."""
ARRAYS = ("inner", "inner_bias", "outer", "outer_bias")
SCALE = 10.0
"""Embeddings have unit length; times this, their entries are about as large as a network likes its input."""


@dataclass(frozen=True, slots=True)
class Head:
    """The network: `inner` (D + 1, H), `outer` (H, C), their biases, and what each of the C outputs asks.

    D is the embedding's size; the input after it is 1 if the question follows another. Outputs whose name ends
    in `LEANING` are questions that cannot be understood without the one before. `fingerprint` names the embedder
    that it belongs to.
    """

    inner: Vectors
    inner_bias: Vectors
    outer: Vectors
    outer_bias: Vectors
    asks: tuple[str, ...]
    fingerprint: str

    def probabilities(self, vector: Vectors, follows: bool) -> NDArray[np.float64]:
        """(C,) for one embedding (D,)."""
        given = np.append(vector * SCALE, float(follows))
        hidden = np.maximum(given @ self.inner + self.inner_bias, 0.0)
        scores = hidden @ self.outer + self.outer_bias
        powers = np.exp(scores - scores.max())
        shares: NDArray[np.float64] = powers / powers.sum()
        return shares


class Hints:
    """Hints for one embedder; without a head for it, every hint is empty."""

    def __init__(self, embedder: Embedder, head: Head | None) -> None:
        self._head = head
        # A question is looked at twice, and again as history when the next one comes.
        self._vector = lru_cache(maxsize=256)(lambda question: embedder.embed([question], role="query")[0])
        if head and head.fingerprint != embedder.fingerprint:
            log.warning("no hints: they were learned for another embedder; run `python -m finetune.hints`")
            self._head = None

    def __call__(self, question: str, history: Sequence[Exchange] = ()) -> str:
        """What the question seems to ask, the likeliest first, at most three, as the end of “The question is …”."""
        return worded(self.readings(question, bool(history)), self._before(history))

    def leans(self, question: str) -> bool:
        """Whether a question that follows another cannot be understood without it; without a head, all may."""
        shares = self._shares(question, True)
        return not shares or sum(share for name, share in shares if name.endswith(LEANING)) >= LEANS

    def readings(self, question: str, follows: bool) -> tuple[str, ...]:
        """The likeliest readings, best first; that it asks the same as before only if it `follows` something."""
        votes: Counter[str] = Counter()
        for name, share in self._shares(question, follows):
            if follows or not name.endswith(LEANING):
                votes[name.removesuffix(LEANING)] += share  # type: ignore[assignment]
        ranked = votes.most_common(MOST)
        return tuple(name for n, (name, share) in enumerate(ranked) if not n or share >= WORTH_NAMING)

    def _shares(self, question: str, follows: bool) -> list[tuple[str, float]]:
        """The probability of each output, by its name."""
        if self._head is None:
            return []
        shares = self._head.probabilities(self._vector(question), follows)
        return list(zip(self._head.asks, shares.tolist(), strict=True))

    def _before(self, history: Sequence[Exchange]) -> str:
        """What the conversation was about: the last question that did not itself ask the same as before."""
        for place in reversed(range(len(history))):
            named = self.readings(history[place].question, place > 0)
            if named and named[0] != asks(SAME):
                return named[0]
        return ""


def worded(readings: Sequence[str], before: str) -> str:
    """Readings as a hint; the one that asks the same as before says what that was."""
    same = f"{before}, {asks(SAME)}" if before else asks(SAME)
    return OR.join(same if each == asks(SAME) else each for each in readings)


def load(path: Path) -> Head:
    """The head in an .npz file. Raises ModelFileError if it is missing or broken."""
    try:
        with np.load(path, allow_pickle=False) as file:
            inner, inner_bias, outer, outer_bias = (file[name].astype(np.float32) for name in ARRAYS)
            names = tuple(map(str, file["asks"]))
            head = Head(inner, inner_bias, outer, outer_bias, names, str(file["fingerprint"]))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelFileError(f"{path} holds no hints ({error}); clone the repository again") from error
    fits = inner.ndim == outer.ndim == 2 and inner.shape[1:] == inner_bias.shape == outer.shape[:1]
    if not fits or outer.shape[1:] != outer_bias.shape or len(names) != len(outer_bias):
        raise ModelFileError(f"{path} holds no hints (its arrays do not fit together); clone the repository again")
    return head


def save(head: Head, path: Path) -> None:
    """Write the head, whole or not at all, with 16 bits a number."""
    arrays = {name: getattr(head, name).astype(np.float16) for name in ARRAYS}
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, asks=np.array(head.asks), fingerprint=np.array(head.fingerprint), **arrays)
    partial.replace(path)
