"""One carriage and who sits where."""

from train.seats import LETTERS, name_seat, row_of


class AllocationError(Exception):
    """A group cannot be given seats."""


class AlreadySeated(AllocationError):
    """A traveller of the group has a seat already."""


class CarriageFull(AllocationError):
    """There are fewer free seats than travellers."""


class Carriage:
    """Rows from 1, at the front, with four seats each."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self._taken: dict[str, str] = {}

    def free_seats(self) -> list[str]:
        """The names of the seats that nobody has, row by row from the front."""
        seats = (name_seat(row, letter) for row in range(1, self.rows + 1) for letter in LETTERS)
        return [seat for seat in seats if seat not in self._taken]

    def leave(self, seat: str) -> None:
        """Free a seat again."""
        self._taken.pop(seat, None)

    def allocate(self, names: list[str]) -> dict[str, str]:
        """Give a seat to each of at least one traveller and return the seats by name; raise AllocationError."""
        raise NotImplementedError
