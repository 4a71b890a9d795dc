"""Search by meaning and by name over short texts, with the vectors kept on disk.

Meaning alone confuses neighbours that share most of their words ("DFT" and "DFS"), so an entry whose
name stands in the query is lifted above those that are merely similar.
"""

import hashlib
import json
import logging
import os
import re
import tempfile
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from rapidfuzz import fuzz

from tools.embedder import Embedder

log = logging.getLogger(__name__)

NAMED = 0.3
"""Added to the similarity when an entry's name stands in the query; a little more for longer names."""
TYPO_LENGTH = 6
"""Shorter names must be spelled right: one letter apart, DFT is DFS."""
TYPO_RATIO = 86.0
DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to be found: what it is called, and the passages that say what it is about."""

    names: tuple[str, ...]
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A found entry: its place among the entries, its passages from the best on, and how well it fits.

    `similarity` is a cosine; `score` adds what a name in the query is worth.
    """

    place: int
    passages: tuple[int, ...]
    similarity: float
    score: float

    @property
    def named(self) -> bool:
        """Whether the query contains a name of this entry."""
        return self.score > self.similarity


class Vault:
    """Where vectors are kept: in memory, and on disk under a hash of the texts and the model.

    Without a folder it is $SCRIBE_CACHE or ~/.cache/scribe.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self.embedder = embedder
        self._folder = (folder or _default_folder()) / "vectors"
        self._loaded: dict[str, Any] = {}
        self._lock = threading.Lock()

    def flat(self, texts: Sequence[str]) -> Any:
        """A faiss.IndexFlatIP of the texts' vectors, in their order."""
        told = json.dumps([self.embedder.fingerprint, *texts], ensure_ascii=False)
        key = hashlib.sha256(told.encode()).hexdigest()
        with self._lock:
            if key not in self._loaded:
                self._loaded[key] = self._read(key, len(texts)) or self._made(key, texts)
            return self._loaded[key]

    def _made(self, key: str, texts: Sequence[str]) -> Any:
        rows = self.embedder.embed(texts)
        flat = faiss.IndexFlatIP(rows.shape[1])
        flat.add(rows)
        body = faiss.serialize_index(flat).tobytes()
        try:
            _replace(self._path(key), hashlib.sha256(body).digest() + body)
        except OSError as error:
            # Without a cache everything still works, only slower at the next start.
            log.warning("vectors could not be kept in %s: %s", self._folder, error)
        return flat

    def _read(self, key: str, count: int) -> Any | None:
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != digest:
            log.warning("%s is damaged and is made again", self._path(key))
            return None
        flat = faiss.deserialize_index(np.frombuffer(body, dtype=np.uint8))
        return flat if flat.ntotal == count else None

    def _path(self, key: str) -> Path:
        return self._folder / f"{key[:32]}.faiss"


@dataclass(frozen=True)
class Index:
    """Entries to search in; their vectors are read or made at the first search.

    An entry is as similar to a query as the mean of its `pool` most similar passages.
    """

    entries: tuple[Entry, ...]
    vault: Vault
    pool: int = 1

    def search(self, query: str, within: Collection[int] | None = None) -> tuple[Hit, ...]:
        """All entries (or those at the places `within`), best first; equals in their given order."""
        if not self.entries:
            return ()
        vector = self.vault.embedder.embed([query], role="query")
        scores, rows = self._flat.search(vector, self._flat.ntotal)
        ranked: dict[int, list[tuple[float, int]]] = {}
        for row, score in zip(rows[0].tolist(), scores[0].tolist(), strict=True):
            place, passage = self._owners[row]
            if within is None or place in within:
                ranked.setdefault(place, []).append((score, passage))
        hits = [self._hit(query, place, passages) for place, passages in ranked.items()]
        return tuple(sorted(hits, key=lambda hit: (-round(hit.score, 4), hit.place)))

    def _hit(self, query: str, place: int, passages: list[tuple[float, int]]) -> Hit:
        pooled = [score for score, _ in passages[: self.pool]]
        similarity = sum(pooled) / len(pooled)
        lift = _lift(query, self.entries[place].names)
        return Hit(place, tuple(number for _, number in passages), similarity, similarity + lift)

    @cached_property
    def _owners(self) -> tuple[tuple[int, int], ...]:
        """Of each vector, the place of its entry and the number of its passage there."""
        return tuple((p, n) for p, entry in enumerate(self.entries) for n in range(len(entry.passages)))

    @cached_property
    def _flat(self) -> Any:
        return self.vault.flat([text for entry in self.entries for text in entry.passages])


def _lift(query: str, names: Collection[str]) -> float:
    """What it is worth that one of the names stands in the query; 0 if none does."""
    asked = query.casefold()
    found = [name for name in names if _stands_in(name.casefold(), asked)]
    return max((NAMED + 0.02 * len(name.split()) for name in found), default=0.0)


def _stands_in(name: str, asked: str) -> bool:
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", asked):
        return True
    long_enough = TYPO_LENGTH <= len(name) <= len(asked) + 1
    return long_enough and fuzz.partial_ratio(name, asked) >= TYPO_RATIO


def _default_folder() -> Path:
    return Path(os.environ.get("SCRIBE_CACHE") or Path.home() / ".cache" / "scribe")


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
