"""Course bundles, read once while their files stay as they are: several steps ask for the same."""

from functools import lru_cache
from pathlib import Path

from data import bundle
from data.course import Course
from finetune.manifest import digest


def course(name: str, folder: Path) -> Course:
    """The course of this id or alias in a folder of bundles. Raises BundleError if there is none."""
    own = folder / name
    return _read(name, folder, digest(own)) if own.is_dir() else bundle.find(name, folder)


@lru_cache(maxsize=8)
def _read(name: str, folder: Path, content: str) -> Course:
    return bundle.find(name, folder)
