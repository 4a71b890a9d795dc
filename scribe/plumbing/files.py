"""Files and folders that appear whole or not at all, one process at a time, and only in place of what we made.

A write goes to a hidden `.NAME.*.partial` in the same folder and is then renamed, so a kill at any moment leaves the
old content or the new. Links are followed: what a link names is replaced, not the link.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from filelock import FileLock, Timeout

from scribe.plumbing.errors import UsageError

PARTIAL = ".partial"
"""How the names of what is half-written end."""
PRIVATE = 0o600
"""The mode of a file that only its owner may read, such as one with students' questions."""


@contextlib.contextmanager
def replace_file(path: Path, mode: int | None = None) -> Iterator[Path]:
    """Yield an empty file to write; it is flushed to disk and takes `path`'s place when the block ends well.

    mode: of the file; else that of the file it replaces, or what the user's umask leaves. Raises OSError.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL)
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.chmod(_choose_mode(path) if mode is None else mode)  # mkstemp lets only the owner read
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file whole or not at all, see `replace_file`. Raises OSError."""
    with replace_file(path, mode) as partial:
        partial.write_bytes(content)


def write_text(path: Path, text: str, mode: int | None = None) -> None:
    """Write a file in UTF-8 whole or not at all, see `replace_file`. Raises OSError."""
    write_bytes(path, text.encode("utf-8"), mode)


@contextlib.contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it takes the place of `folder` when the block ends well. Raises OSError."""
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.", suffix=PARTIAL) as beside:
        made = Path(beside) / "new"
        made.mkdir()
        yield made
        put_in_place(made, folder, Path(beside) / "old")


def put_in_place(made: Path, target: Path, aside: Path) -> None:
    """Move a folder to where another may be, which then is `aside`. Raises OSError, all being as before.

    Between two renames there is an instant in which no `target` is there.
    """
    if target.exists():
        target.replace(aside)
    try:
        made.replace(target)
    except BaseException:
        if aside.exists():
            aside.replace(target)
        raise


def remove_partials(folder: Path) -> None:
    """Remove what killed processes left half-written in a folder that no other process is writing to."""
    for left in folder.glob(f".*{PARTIAL}"):
        _remove(left)


def refuse_foreign(folder: Path, sign: str) -> None:
    """Raise UsageError for a folder that holds something, but not the file `sign` of what would take its place."""
    if not (folder / sign).exists() and (folder.is_file() or (folder.is_dir() and any(folder.iterdir()))):
        raise UsageError(f"{folder} would be replaced and holds something else; name a folder that is new or empty")


@contextlib.contextmanager
def lock(path: Path, refusal: str = "") -> Iterator[None]:
    """Hold `path` for this process, which the system lets go of however it ends; beside it lies `.NAME.lock`.

    refusal: what UsageError says if another process or thread holds it; without one, wait. Raises OSError.
    """
    file = path.resolve().parent / f".{path.name}.lock"
    held = FileLock(file, timeout=0 if refusal else -1)
    try:
        held.acquire()
    except Timeout:
        try:
            held.acquire()  # once more, since the first may have met a lock that was being taken away
        except Timeout as error:
            raise UsageError(refusal) from error
    try:
        yield
    finally:
        file.unlink(missing_ok=True)  # while it is held: whoever opened it before sees that it is gone
        held.release()


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
    with lock(target):
        if not target.exists():
            partial = target.parent / f".{target.name}{PARTIAL}"
            _remove(partial)  # a killed process left it; no other can be at it now
            try:
                build(partial)
                partial.replace(target)
            finally:
                _remove(partial)
    return target


def hash_file(path: Path) -> str:
    """What `sha256sum` prints of a file; weights are gigabytes, so it is read once while it does not change."""
    stat = path.stat()
    return _hash(path.resolve(), stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=4096)
def _hash(path: Path, size: int, changed: int, inode: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_path(path: Path) -> str:
    """The sha256 of a file; of a folder, that of its files' names and contents, compiled ones left out."""
    if not path.is_dir():
        return hash_file(path)
    total = hashlib.sha256()
    for file in sorted(file for file in path.rglob("*") if file.is_file() and file.suffix != ".pyc"):
        total.update(f"{file.relative_to(path).as_posix()}\0{hash_file(file)}\n".encode())
    return total.hexdigest()


def _choose_mode(path: Path) -> int:
    """That of the file which is there; else what the umask leaves, and the only way to ask is to set it."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
