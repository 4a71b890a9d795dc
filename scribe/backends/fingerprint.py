"""A short hash of model files, so that a record says which weights wrote it."""

import hashlib
from functools import lru_cache
from pathlib import Path


def fingerprint(*paths: Path) -> str:
    """12 hex digits: of one file the beginning of what `sha256sum` prints, of several a hash of their hashes.

    A file that has not changed is read once.
    """
    digests = [_of(path) for path in paths]
    whole = digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()
    return whole.hex()[:12]


def sha256(path: Path) -> str:
    """What `sha256sum` prints of a file; read once while it does not change."""
    return _of(path).hex()


def _of(path: Path) -> bytes:
    return _digest(path, path.stat().st_size, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _digest(path: Path, size: int, changed: int) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
