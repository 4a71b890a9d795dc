"""The desk at which books are lent and given back."""

from dataclasses import dataclass
from datetime import date, timedelta

from library.opening import next_open_day

LIMIT = 3
"""How many books a member may hold at a time."""
DAYS = 10
"""How long a book is lent."""


class LoanRefused(Exception):
    """The desk does not lend this book to this member now."""


@dataclass
class Loan:
    """One book at one member's home, until the due day (included)."""

    book: str
    member: str
    due: date


class Desk:
    """Knows which books are out."""

    def __init__(self) -> None:
        self._loans: dict[str, Loan] = {}

    def loans_of(self, member: str) -> list[Loan]:
        """The loans of one member, oldest first."""
        return [loan for loan in self._loans.values() if loan.member == member]

    def is_lent(self, book: str) -> bool:
        """Whether a book is out; its number is written in capitals."""
        return book in self._loans

    def give_back(self, book: str) -> None:
        """Take a book back; its number is written in capitals."""
        del self._loans[book]

    def lend(self, member: str, book: str, today: date) -> Loan:
        """Lend a book to a member and return the loan; raise LoanRefused if the rules do not allow it."""
        raise NotImplementedError
