"""The register at the desk."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass

from lostfound.changes import list_changes


class RegisterBusy(Exception):
    """A clerk revises the register already."""


@dataclass
class Item:
    """What was found and where it is kept."""

    what: str
    shelf: str


class Register:
    """Items by number, who revises them now, and a journal of all changes."""

    def __init__(self) -> None:
        self.items: dict[int, Item] = {}
        self.clerk: str | None = None
        self.journal: list[str] = []

    def note(self, change: str) -> None:
        """Write a change by the present clerk into the journal."""
        self.journal.append(f"{self.clerk}: {change}")

    @contextmanager
    def revision(self, clerk: str) -> Iterator[dict[int, Item]]:
        """Let a clerk change the items within a `with` block, all or nothing; raise RegisterBusy."""
        raise NotImplementedError
