"""Reports of large folders."""

from collections.abc import Iterator

from disk.blocks import blocks_of
from disk.tree import File, Folder


def size_of(folder: Folder) -> int:
    """How many blocks all files in a folder take up, at any depth."""
    return sum(blocks_of(entry.size) if isinstance(entry, File) else size_of(entry) for entry in folder.entries)


def large_folders(folder: Folder, least: int, above: str = "") -> Iterator[tuple[str, int]]:
    """Path and size of each folder of at least so many blocks, a folder after all that it contains."""
    raise NotImplementedError
