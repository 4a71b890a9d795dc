"""A new bundle is written beside the old one, in `.dsp.building/dsp`, and takes its place in one move."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from data.bundle_cohort import TABLES
from data.course import BundleError
from scribe.plumbing.files import lock, put_in_place

QUALITY = "quality.json"
REPORTS = "reports"
GENERATED = frozenset({*(table.name for table in TABLES), QUALITY, REPORTS})
"""What a build writes anew; all else in a bundle's folder is kept as it is."""
MATERIAL = (
    *("course.toml", "topics.toml", "schedule.toml", "syllabus.md", "syllabus.en.md", "exercises.jsonl", "textbook"),
)
"""What is taken from the course's folder when the bundle is to lie elsewhere."""
_ASIDE = "before"


@contextlib.contextmanager
def stage_bundle(source: Path, target: Path) -> Iterator[Path]:
    """Yield a folder with all that is not built. Raises BundleError for no bundle, UsageError if one is under way."""
    if target.exists() and any(target.iterdir()) and not (target / "course.toml").is_file():
        raise BundleError(f"{target}: is no course bundle and is not empty; name another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    work = target.parent / f".{target.name}.building"
    with _lock_target(target):
        try:
            shutil.rmtree(work, ignore_errors=True)
            folder = work / target.name
            folder.mkdir(parents=True)
            _keep_rest(target, folder, GENERATED if source == target else GENERATED | set(MATERIAL))
            if source != target:
                for name in MATERIAL:
                    _copy(source / name, folder, shutil.copy2)
            yield folder
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _lock_target(target: Path) -> AbstractContextManager[None]:
    return lock(target, f"{target}: is being built by another process; wait for it to end")


def take_place(folder: Path, target: Path) -> None:
    """Put the staged bundle where it belongs. Raises OSError, and then all is as it was."""
    put_in_place(folder, target, folder.parent / _ASIDE)


def put_back(target: Path) -> None:
    """Put the old bundle back if a build was killed in the instant in which it was put aside."""
    aside = target.parent / f".{target.name}.building" / _ASIDE
    if aside.exists() and not target.exists():
        with _lock_target(target):
            aside.rename(target)


def take_fingerprint(folder: Path) -> frozenset[tuple[str, int, int]]:
    """Name, size and time of change of every file of a course's material."""
    paths = (path for name in MATERIAL for path in (folder / name, *(folder / name).glob("**/*")) if path.is_file())
    facts = ((str(path), path.stat()) for path in paths)
    return frozenset((name, stat.st_size, stat.st_mtime_ns) for name, stat in facts)


def _keep_rest(target: Path, folder: Path, built: frozenset[str]) -> None:
    """Take over what lies in the target and is not built: by links, for there may be logs of gigabytes."""
    for path in target.iterdir() if target.exists() else ():
        if path.name not in built:
            _copy(path, folder, _link)


def _link(source: str, copy: str) -> None:
    try:
        os.link(source, copy, follow_symlinks=False)
    except OSError:  # a file system without hard links
        shutil.copy2(source, copy, follow_symlinks=False)


def _copy(path: Path, folder: Path, copy: Callable[[str, str], object]) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.copytree(path, folder / path.name, symlinks=True, copy_function=copy)
    elif path.exists():
        copy(str(path), str(folder / path.name))
