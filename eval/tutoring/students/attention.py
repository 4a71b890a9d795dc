"""Cognitive load: how much of a tutor's turn a student takes in (section 4.3 of the paper, f_CL of equation 6)."""

from scribe.tutor.session import MAX_WORDS


def keep_heard(text: str, most: int = MAX_WORDS) -> str:
    """The last `most` words of a turn, as it is if it has no more: what was said before is out of mind."""
    words = text.split()
    return text if len(words) <= most else " ".join(words[-most:])
