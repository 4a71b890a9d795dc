"""Files and folders that appear whole or not at all, and take the place only of what was made here too."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scribe.errors import UsageError

PARTIAL = ".partial"
"""How the names of what is half-written end; they begin with a dot."""


@contextlib.contextmanager
def written(path: Path) -> Iterator[Path]:
    """A file to write, put in `path`'s place, and on the disk, when the block ends well; else gone. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL)
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        _to_disk(partial)
        partial.chmod(0o666 & ~_umask())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def clear(folder: Path) -> None:
    """Remove what a killed run left half-written in a folder, and nothing else: it may be anybody's."""
    for left in folder.glob(f".*{PARTIAL}"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()


def refuse_foreign(folder: Path, sign: str) -> None:
    """Raise UsageError for a folder that holds something, but not `sign`: what is written would take its place."""
    if not (folder / sign).exists() and (folder.is_file() or (folder.is_dir() and any(folder.iterdir()))):
        raise UsageError(f"{folder} would be replaced and holds something else; name a folder that is new or empty")


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _umask() -> int:
    """What the user wants taken from new files' modes; the only way to ask is to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
