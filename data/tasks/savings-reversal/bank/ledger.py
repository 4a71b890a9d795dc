"""A ledger to which entries are only ever added."""

from dataclasses import dataclass
from datetime import date


class NoSuchEntry(Exception):
    """The ledger has no entry of this number."""


@dataclass(frozen=True)
class Entry:
    """Money that went to an account (cents above 0) or left it (below 0)."""

    number: int
    day: date
    account: str
    cents: int


class Ledger:
    """Entries, which are numbered from 1 in the order in which they were made."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def post(self, day: date, account: str, cents: int) -> Entry:
        """Add an entry and return it."""
        entry = Entry(len(self.entries) + 1, day, account, cents)
        self.entries.append(entry)
        return entry

    def find(self, number: int) -> Entry:
        """The entry of this number; raise NoSuchEntry if there is none."""
        for entry in self.entries:
            if entry.number == number:
                return entry
        raise NoSuchEntry(number)

    def balance(self, account: str) -> int:
        """The cents on an account."""
        return sum(entry.cents for entry in self.entries if entry.account == account)

    def reverse(self, number: int, today: date) -> Entry:
        """Add the opposite of an entry and return it; raise NoSuchEntry if there is none of this number."""
        entry = self.find(number)
        return self.post(today, entry.account, -entry.cents)
