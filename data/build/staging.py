"""A new bundle is written beside the old one and takes its place in one move.

`.dsp.building/dsp` is filled while `dsp` stays as it is. At the end the old bundle is put aside and
the new one takes its place (`scribe.plumbing.files.put_in_place`); if a build is killed between, the next one puts the
old bundle back.
"""

import contextlib
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from data.bundle_cohort import TABLES
from data.course import BundleError
from scribe.errors import UsageError
from scribe.plumbing.files import lock, put_in_place

QUALITY = "quality.json"
REPORTS = "reports"
GENERATED = frozenset({*(table.name for table in TABLES), QUALITY, REPORTS})
"""What a build writes anew; all else in a bundle's folder is kept as it is."""
MATERIAL = (
    *("course.toml", "topics.toml", "schedule.toml", "syllabus.md", "syllabus.en.md", "exercises.jsonl", "textbook"),
)
"""What is taken from the course's folder when the bundle is to lie elsewhere."""
_BUILDING = re.compile(r"\.(?P<name>.+)\.building")
_ASIDE = "before"

Fingerprint = frozenset[tuple[str, int, int]]


@contextlib.contextmanager
def stage_bundle(source: Path, target: Path) -> Iterator[Path]:
    """Yield a folder with everything of the new bundle but what is built; it is gone when the block ends.

    source: the course's folder with its material; target: where the bundle is to lie, often the same.
    Raises BundleError if the target is not a bundle, UsageError if another build of it is under way.
    """
    if target.exists() and any(target.iterdir()) and not (target / "course.toml").is_file():
        raise BundleError(f"{target}: is no course bundle and is not empty; name another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    work = _work_folder(target)
    with _lock_target(target):
        try:
            shutil.rmtree(work, ignore_errors=True)
            folder = work / target.name
            folder.mkdir(parents=True)
            _keep_rest(target, folder, GENERATED if source == target else GENERATED | set(MATERIAL))
            if source != target:
                _copy_material(source, folder)
            yield folder
        finally:
            shutil.rmtree(work, ignore_errors=True)


def take_place(folder: Path, target: Path) -> None:
    """Put the staged bundle where it belongs. Raises OSError, and then all is as it was."""
    put_in_place(folder, target, folder.parent / _ASIDE)


def put_back(target: Path) -> None:
    """Put the old bundle back if a build was killed after it had been put aside; else do nothing."""
    aside = _work_folder(target) / _ASIDE
    if not target.exists() and aside.exists():
        with _lock_target(target):
            aside.rename(target)


def find_unfinished(courses: Path) -> list[Path]:
    """Where the bundles are to lie, in a folder of bundles, that builds have begun and not ended."""
    found = (_BUILDING.fullmatch(path.name) for path in courses.glob(".*.building"))
    return sorted(courses / match["name"] for match in found if match)


def explain_left_behind(target: Path) -> str:
    """What a killed build has left beside a bundle, and what to do; empty if there is nothing or one is at work."""
    work = _work_folder(target)
    if not work.is_dir() or _is_locked(target):
        return ""
    aside = work / _ASIDE
    if aside.exists() and not target.exists():
        return f"{aside}: is the bundle, put aside by a build that was killed; move it back to {target}"
    what = "was left by a build that was killed and may hold students' clicks; the next build removes it, or"
    return f"{work}: {what} rm -r {shlex.quote(str(work))}"


def take_fingerprint(folder: Path) -> Fingerprint:
    """Name, size and time of change of every file of a course's material."""
    paths = (path for name in MATERIAL for path in (folder / name, *(folder / name).glob("**/*")) if path.is_file())
    facts = ((str(path), path.stat()) for path in paths)
    return frozenset((name, stat.st_size, stat.st_mtime_ns) for name, stat in facts)


def _lock_target(target: Path) -> contextlib.AbstractContextManager[None]:
    return lock(target, f"{target}: is being built by another process; wait for it to end")


def _is_locked(target: Path) -> bool:
    """Whether a build is at work, or nobody can tell because the folder is not ours to write to."""
    try:
        with _lock_target(target):
            return False
    except (UsageError, OSError):
        return True


def _work_folder(target: Path) -> Path:
    return target.parent / f".{target.name}.building"


def _keep_rest(target: Path, folder: Path, built: frozenset[str]) -> None:
    """Take over what lies in the target and is not built: by links, for there may be logs of gigabytes."""
    for path in target.iterdir() if target.exists() else ():
        if path.name in built:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.copytree(path, folder / path.name, symlinks=True, copy_function=_link)
        else:
            _link(str(path), str(folder / path.name))


def _link(source: str, copy: str) -> None:
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
