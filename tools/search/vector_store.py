"""What search has made once: vectors in memory and on disk, all else in memory."""

import hashlib
import json
import logging
import os
import threading
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import faiss
import numpy as np

from scribe.plumbing.files import cache_folder, write_bytes
from tools.embedding.embedders import Embedder

log = logging.getLogger(__name__)

T = TypeVar("T")
DIGEST_BYTES = 32


class VectorStore:
    """Where vectors are kept: in memory, and on disk under a hash of the texts and the model.

    Without a folder it is $SCRIBE_CACHE, or `scribe` in the user's cache folder.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self.embedder = embedder
        self._folder = (folder or Path(os.environ.get("SCRIBE_CACHE") or cache_folder())) / "vectors"
        self._made: dict[Hashable, Any] = {}
        self._lock = threading.RLock()

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returned when this key was first asked for; two threads never both make it."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            made: T = self._made[key]
            return made

    def flat(self, texts: Sequence[str]) -> Any:
        """A faiss.IndexFlatIP of the texts' vectors, in their order."""
        content = json.dumps([self.embedder.fingerprint, *texts], ensure_ascii=False)
        key = hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()
        return self.once(key, lambda: self._read(key, len(texts)) or self._embedded(key, texts))

    def _embedded(self, key: str, texts: Sequence[str]) -> Any:
        rows = self.embedder.embed(texts)
        flat = faiss.IndexFlatIP(rows.shape[1])
        flat.add(rows)
        body = faiss.serialize_index(flat).tobytes()
        try:
            write_bytes(self._path(key), hashlib.sha256(body).digest() + body)
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
