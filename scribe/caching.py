"""Files and folders that are built once on a user's machine and can be built again at any time."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path


def cache_folder() -> Path:
    """Where Scribe may keep what it can build again: `scribe` in the user's cache folder."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(given) if Path(given).is_absolute() else Path.home() / ".cache"
    return root / "scribe"


def build_once(target: Path, build: Callable[[Path], None]) -> Path:
    """Return `target`, a file or a folder, which `build(partial)` writes if it does not exist.

    It appears whole or not at all. Of several processes one builds, and the others wait for it. Raises OSError.
    """
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target.parent / f".{target.name}.lock"):
        if not target.exists():
            partial = target.parent / f".{target.name}.partial"
            _remove(partial)  # a killed process left it; no other can be at it now
            try:
                build(partial)
                partial.replace(target)
            finally:
                _remove(partial)
    return target


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait until no other process holds the lock. The file stays, since removing it would let two in."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
