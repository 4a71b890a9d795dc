"""The ledger of savings accounts."""

from datetime import date

from bank.ledger import Entry, Ledger
from bank.months import end_of_next_month

MINIMUM = 500
"""Cents that stay on a savings account."""


class ReversalRefused(Exception):
    """This entry cannot be reversed, or not now."""


class SavingsLedger(Ledger):
    """A ledger that knows which of its entries are reversed."""

    def __init__(self) -> None:
        super().__init__()
        self._reversals: dict[int, Entry] = {}  # by the number of the entry that is reversed

    def available(self, account: str) -> int:
        """How many cents may be taken from an account."""
        return self.balance(account) - MINIMUM

    def reverse(self, number: int, today: date) -> Entry:
        """Reverse an entry and return the new one; raise ReversalRefused if the rules do not allow it."""
        raise NotImplementedError
