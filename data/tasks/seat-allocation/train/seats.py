"""How seats are called."""

LETTERS = "ABCD"


def name_seat(row: int, letter: str) -> str:
    """The name of a seat, such as `12C`."""
    return f"{row}{letter}"


def row_of(seat: str) -> int:
    """The row in which a seat stands."""
    return int(seat[:-1])
