"""Files that appear whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def written(path: Path) -> Iterator[Path]:
    """A file to write, put in `path`'s place, and on the disk, when the block ends well; else gone. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
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


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _umask() -> int:
    """What the user wants taken from new files' modes; the only way to ask is to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
