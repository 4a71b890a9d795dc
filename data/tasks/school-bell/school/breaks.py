"""Breaks between lessons."""

BREAKS = {1: 5, 2: 20, 3: 0, 4: 60}
"""Minutes of the breaks after the first lessons of a day."""
ORDINARY = 10
"""Minutes of every other break."""


def break_after(number: int) -> int:
    """How many minutes of break follow the lesson of this number; the first of a day has number 1."""
    return BREAKS.get(number, ORDINARY)
