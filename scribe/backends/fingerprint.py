"""A short hash of model files, so that a record says which weights wrote it."""

import hashlib
from functools import lru_cache
from pathlib import Path


def fingerprint(*paths: Path) -> str:
    """The first 12 hex digits of the SHA-256 of the files; a file that has not changed is read once."""
    whole = hashlib.sha256()
    for path in paths:
        facts = path.stat()
        whole.update(_digest(path, facts.st_size, facts.st_mtime_ns))
    return whole.hexdigest()[:12] if len(paths) != 1 else _first_digits(paths[0])


def _first_digits(path: Path) -> str:
    """Of a single file, what `sha256sum` prints, so that a person can compare."""
    facts = path.stat()
    return _digest(path, facts.st_size, facts.st_mtime_ns).hex()[:12]


@lru_cache(maxsize=256)
def _digest(path: Path, size: int, changed: int) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
