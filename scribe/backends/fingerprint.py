"""A short hash of model files, so that a record says which weights wrote it."""

import hashlib
from functools import lru_cache
from pathlib import Path


def fingerprint(*paths: Path) -> str:
    """12 hex digits: of one file the beginning of what `sha256sum` prints, of several a hash of their hashes.

    A file that has not changed is read once.
    """
    sums = [sha256(path) for path in paths]
    whole = sums[0] if len(sums) == 1 else hashlib.sha256(b"".join(map(bytes.fromhex, sums))).hexdigest()
    return whole[:12]


def sha256(path: Path) -> str:
    """What `sha256sum` prints of a file; weights are gigabytes, so it is read once while it does not change."""
    stat = path.stat()
    return _digest(path.resolve(), stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=4096)
def _digest(path: Path, size: int, changed: int, place: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
