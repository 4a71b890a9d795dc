"""How answers are written."""

MISSING = {"", "-", "n/a", "?"}
"""What stands, in small letters, where somebody gave no answer."""


def parse_answer(text: str) -> int | None:
    """The mark that an answer such as ` 7 ` tells, or None if there is none."""
    text = text.strip().lower()
    return None if text in MISSING else int(text)
