"""Pixels of one colour beside each other."""

LONGEST = 9
"""Pixels that one run may have, so that its length is one digit."""


def format_run(length: int, colour: str) -> str:
    """A run as text: its length, left out if it is 1, and its colour."""
    return colour if length == 1 else f"{length}{colour}"
