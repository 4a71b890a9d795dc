"""From an image to a text."""

from images.runs import LONGEST, format_run

SAME = "="
"""How a row is written that equals the one before it."""


class RaggedImage(Exception):
    """The rows of an image are not equally long."""


def encode(rows: list[str]) -> str:
    """The image as one text; raise RaggedImage if its rows are not equally long."""
    raise NotImplementedError
