"""The network behind the hints: from a question to what it asks.

Two layers over the question's embedding and over its words and letters (`tools.reading.ngrams`). The embedding is
MiniLM's, with small changes to its matrices that `finetune.hints` learned on the known wordings: as it comes it tells
topics apart rather than intents, and knows no French. The search goes on with MiniLM as it is.
"""

import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scribe.errors import ModelFileError
from tools.embedder import MINILM_SHA256, Embedder, MiniLM, Vectors
from tools.minilm import Changes, Network
from tools.reading.ngrams import BUCKETS, places

ARRAYS = ("letters", "inner", "inner_bias", "outer", "outer_bias")
DOWN, UP = ".down", ".up"
LEANING, BOTH = " (leaning)", " (both)"
"""Ends of outputs' names."""
SCALE = 10.0
"""Embeddings have unit length; times this, their entries are about as large as a network likes its input."""

WIDTH = 384
"""Entries of MiniLM's embeddings."""
LONGEST = 96
"""Tokens of a question that are read."""
REMEDY = "clone the repository again, or export your model again if the file lies beside it"


@dataclass(frozen=True)
class Head:
    """The network: `letters` (BUCKETS, L), `inner` (D + L + 1 + R, H), `outer` (H, C), biases, what C outputs ask.

    D is the embedding's size. After it comes the sum of the rows of `letters` that the question's features name, over
    the square root of their number; 1 if the question follows another; and of the R `readings` 1 for what that asked.
    Outputs whose name ends in `LEANING` are questions that cannot be understood without the one before; in `BOTH`, one
    of two things that are asked at once. `fingerprint` names the embedder that it belongs to, `changes` what makes it
    of MiniLM, if anything.
    """

    letters: Vectors
    inner: Vectors
    inner_bias: Vectors
    outer: Vectors
    outer_bias: Vectors
    asks: tuple[str, ...]
    fingerprint: str
    changes: Changes = field(default_factory=dict)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """All that may be asked, sorted, whether by itself, leaning on a question before or as one of two things."""
        return readings_of(self.asks)

    def probabilities(self, question: str, vector: Vectors, before: str | None) -> NDArray[np.float64]:
        """(C,) for a question and its embedding (D,).

        before: what was asked before it, in the words of `readings`; empty if that is not known, None if nothing was.
        """
        rows = places(question)
        spelled = self.letters[rows].sum(axis=0) / max(len(rows), 1) ** 0.5
        given = np.concatenate([vector * SCALE, spelled, following(before, self.readings)])
        hidden = np.maximum(given @ self.inner + self.inner_bias, 0.0)
        scores = hidden @ self.outer + self.outer_bias
        powers = np.exp(scores - scores.max())
        shares: NDArray[np.float64] = powers / powers.sum()
        return shares


class ChangedMiniLM(MiniLM):
    """MiniLM with changes to its matrices."""

    def __init__(self, changes: Changes, folder: Path | None = None) -> None:
        super().__init__(changes, LONGEST, folder)

    @cached_property
    def fingerprint(self) -> str:
        """MiniLM's, and a hash of the changes."""
        return fingerprint(self._changes)

    @cached_property
    def _network(self) -> Network:
        try:
            return super()._network
        except ValueError as error:
            raise ModelFileError(f"the hints change what MiniLM does not have ({error}); {REMEDY}") from error


def readings_of(asks: Iterable[str]) -> tuple[str, ...]:
    """What outputs of these names ask, each once, sorted."""
    return tuple(sorted({name.removesuffix(LEANING).removesuffix(BOTH) for name in asks}))


def following(before: str | None, readings: Sequence[str]) -> Vectors:
    """(1 + R,): what the network is told of the exchange before a question; all 0 if there is none."""
    told = chain([before is not None], (before == each for each in readings))
    return np.fromiter(told, np.float32, 1 + len(readings))


def embedder_for(head: Head, *known: Embedder) -> Embedder:
    """The first of these embedders that the head was learned with, else MiniLM with the head's changes."""
    return next((one for one in known if one.fingerprint == head.fingerprint), None) or ChangedMiniLM(head.changes)


def fingerprint(changes: Changes) -> str:
    """Names MiniLM with these changes; MiniLM's own fingerprint for none."""
    if not changes:
        return MINILM_SHA256
    content = hashlib.sha256()
    for name in sorted(changes):
        content.update(name.encode())
        for part in changes[name]:
            content.update(part.astype(np.float16).tobytes())
    return f"{MINILM_SHA256}+{content.hexdigest()}"


def load(path: Path) -> Head:
    """The head in an .npz file. Raises ModelFileError if it is missing or broken."""
    try:
        with np.load(path, allow_pickle=False) as file:
            letters, inner, inner_bias, outer, outer_bias = (file[name].astype(np.float32) for name in ARRAYS)
            names = tuple(map(str, file["asks"]))
            changed = [name.removesuffix(UP) for name in file.files if name.endswith(UP)]
            changes = {n: (file[n + UP].astype(np.float32), file[n + DOWN].astype(np.float32)) for n in changed}
            head = Head(letters, inner, inner_bias, outer, outer_bias, names, str(file["fingerprint"]), changes)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelFileError(f"{path} holds no hints ({error}); {REMEDY}") from error
    fits = inner.ndim == outer.ndim == 2 and inner.shape[1:] == inner_bias.shape == outer.shape[:1]
    fits = fits and letters.ndim == 2 and letters.shape[0] == BUCKETS
    width = len(inner) - letters.shape[1] - 1 - len(readings_of(names)) if fits else 0
    fits = fits and (width == WIDTH if head.fingerprint.startswith(MINILM_SHA256) else width > 0)
    fits = fits and all(up.ndim == down.ndim == 2 and up.shape[1] == len(down) for up, down in changes.values())
    if not fits or outer.shape[1:] != outer_bias.shape or len(names) != len(outer_bias):
        raise ModelFileError(f"{path} holds no hints (its arrays do not fit together); {REMEDY}")
    return head


def save(head: Head, path: Path) -> None:
    """Write the head, whole or not at all, with 16 bits a number."""
    arrays = {name: getattr(head, name).astype(np.float16) for name in ARRAYS}
    for name, (up, down) in head.changes.items():
        arrays |= {name + UP: up.astype(np.float16), name + DOWN: down.astype(np.float16)}
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, asks=np.array(head.asks), fingerprint=np.array(head.fingerprint), **arrays)
    partial.replace(path)
