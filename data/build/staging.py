"""A new bundle is written beside the old one and takes its place in one move.

`.dsp.building/dsp` is filled while `dsp` stays as it is. At the end the two change places: on Linux by one
system call, so that whoever is killed, and whenever, leaves either the old bundle or the new one. On a file
system without that call the old bundle is put aside first; the next build puts it back if it was killed then.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from data.bundle_cohort import BEHAVIOUR, GRADES, IMPORTANCE, PREDICTIONS, SUFFICIENT
from data.course import BundleError

QUALITY = "quality.json"
REPORTS = "reports"
TABLES = (PREDICTIONS.name, BEHAVIOUR.name, IMPORTANCE.name, SUFFICIENT.name, GRADES.name)
GENERATED = frozenset({*TABLES, QUALITY, REPORTS})
"""What a build writes anew; all else in a bundle's folder is kept as it is."""
MATERIAL = (
    *("course.toml", "topics.toml", "schedule.toml", "syllabus.md", "syllabus.en.md", "exercises.jsonl", "textbook"),
)
"""What is taken from the course's folder when the bundle is to lie elsewhere."""
_BUILDING = re.compile(r"\.(?P<name>.+)\.building")
_EXCHANGE, _HERE = 2, -100  # RENAME_EXCHANGE and AT_FDCWD of Linux
_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.EXDEV, errno.EOPNOTSUPP}

Fingerprint = frozenset[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class Stage:
    """A bundle in the making: `folder` is to become `target`."""

    folder: Path
    target: Path


@contextlib.contextmanager
def staged(source: Path, target: Path) -> Iterator[Stage]:
    """A folder with everything of the new bundle but what is built; gone when the block ends.

    source: the course's folder with its material; target: where the bundle is to lie, often the same.
    Raises BundleError if another build of the target is under way or the target is not a bundle.
    """
    if target.exists() and any(target.iterdir()) and not (target / "course.toml").is_file():
        raise BundleError(f"{target}: is no course bundle and is not empty; name another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    work = _work(target)
    with _alone(work, target):
        try:
            _empty(work)
            folder = work / target.name
            folder.mkdir()
            _keep(target, folder, all_of_it=source == target)
            if source != target:
                _copy_material(source, folder)
            yield Stage(folder, target)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def take_place(stage: Stage) -> None:
    """Put the staged bundle where it belongs. Raises BundleError or OSError, and then all is as it was."""
    if not stage.target.exists():
        stage.folder.rename(stage.target)
    elif not _exchanged(stage.folder, stage.target):
        take_place_in_two_moves(stage)


def take_place_in_two_moves(stage: Stage) -> None:
    """The same where the system cannot exchange folders, with an instant in which no bundle is there."""
    aside = _aside(stage.folder.parent)
    try:
        stage.target.rename(aside)
        stage.folder.rename(stage.target)
    except BaseException:  # also if the build is ended just now: `staged` will empty the working folder
        if not stage.target.exists() and aside.exists():
            aside.rename(stage.target)
        raise


def put_back(target: Path) -> None:
    """Put the old bundle back if a build was killed after it had been put aside; else do nothing."""
    work = _work(target)
    if not target.exists() and _aside(work).exists():
        with _alone(work, target):
            _aside(work).rename(target)


def under_way(courses: Path) -> list[Path]:
    """Where the bundles are to lie, in a folder of bundles, that builds have begun and not ended."""
    found = (_BUILDING.fullmatch(path.name) for path in courses.glob(".*.building"))
    return sorted(courses / match["name"] for match in found if match)


def left_behind(target: Path) -> str:
    """What a build that was killed has left beside a bundle, and what to do; empty if there is nothing.

    A folder in which a build is at work is none.
    """
    work = _work(target)
    if not work.is_dir() or _is_held(work):
        return ""
    if _aside(work).exists() and not target.exists():
        return f"{_aside(work)}: is the bundle, put aside by a build that was killed; move it back to {target}"
    told = "was left by a build that was killed and may hold students' clicks; the next build removes it, or"
    return f"{work}: {told} rm -r {shlex.quote(str(work))}"


def fingerprint(folder: Path) -> Fingerprint:
    """Name, size and time of change of every file of a course's material."""
    paths = (path for name in MATERIAL for path in (folder / name, *(folder / name).glob("**/*")) if path.is_file())
    facts = ((str(path), path.stat()) for path in paths)
    return frozenset((name, stat.st_size, stat.st_mtime_ns) for name, stat in facts)


@contextlib.contextmanager
def _alone(work: Path, target: Path) -> Iterator[None]:
    """Hold the lock on the working folder, which the system releases however the process ends."""
    work.mkdir(exist_ok=True)
    lock = os.open(work, os.O_RDONLY)
    try:
        if not _locked(lock, work):
            raise BundleError(f"{target}: is being built by another process; wait for it to end")
        yield
    finally:
        os.close(lock)


def _locked(lock: int, work: Path) -> bool:
    """Whether the lock is ours, and on the folder that bears the name now: another build may just have ended."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock), work.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _is_held(work: Path) -> bool:
    """Whether a build holds the lock."""
    lock = os.open(work, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _work(target: Path) -> Path:
    return target.parent / f".{target.name}.building"


def _aside(work: Path) -> Path:
    return work / "before"


def _empty(work: Path) -> None:
    for path in work.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _keep(target: Path, folder: Path, all_of_it: bool) -> None:
    """Take over what lies in the target and is not built: by links, for there may be logs of gigabytes."""
    if not target.exists():
        return
    leave = GENERATED if all_of_it else GENERATED | set(MATERIAL)
    for path in target.iterdir():
        if path.name in leave:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.copytree(path, folder / path.name, symlinks=True, copy_function=_linked)
        else:
            _linked(str(path), str(folder / path.name))


def _linked(source: str, copy: str) -> None:
    try:
        os.link(source, copy, follow_symlinks=False)
    except OSError:  # a file system without hard links
        shutil.copy2(source, copy, follow_symlinks=False)


def _copy_material(source: Path, folder: Path) -> None:
    for name in MATERIAL:
        path = source / name
        if path.is_dir():
            shutil.copytree(path, folder / name)
        elif path.is_file():
            shutil.copy2(path, folder / name)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places in one step; False where the system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NO_EXCHANGE:
        return False
    raise BundleError(f"{other}: cannot be replaced: {os.strerror(code)}")
