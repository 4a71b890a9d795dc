"""Files and folders."""

from dataclasses import dataclass, field


@dataclass
class File:
    """A file and its size in bytes."""

    name: str
    size: int


@dataclass
class Folder:
    """A folder and what stands in it, in no particular order."""

    name: str
    entries: "list[File | Folder]" = field(default_factory=list)
