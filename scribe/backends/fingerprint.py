"""A short hash of model files, so that a record says which weights wrote it."""

import hashlib
from pathlib import Path

from scribe.plumbing.files import hash_file


def fingerprint(*paths: Path) -> str:
    """12 hex digits: of one file the beginning of what `sha256sum` prints, of several a hash of their hashes."""
    sums = [hash_file(path) for path in paths]
    whole = sums[0] if len(sums) == 1 else hashlib.sha256(b"".join(map(bytes.fromhex, sums))).hexdigest()
    return whole[:12]
