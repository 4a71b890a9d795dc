"""Text that others wrote: what of it cannot be seen, and how a message quotes it."""

import unicodedata

QUOTED = 40
"""Letters of a value that a message shows: a stray quotation mark can make a value of a whole file."""
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
"""Without these some scripts cannot be written."""


def quote(text: str) -> str:
    """The text in quotation marks, cut to its first letters, what cannot be seen as an escape."""
    return repr(text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…")


def find_unseen(text: str, joiners: bool = False) -> str:
    """The first line break, control character or mark of direction in a text, as U+202E; empty if there is none.

    joiners: whether those that join or part letters may stand.
    """
    fine = _JOINERS if joiners else ""
    found = (each for each in text if unicodedata.category(each) in _UNSEEN and each not in fine)
    return next((f"U+{ord(each):04X}" for each in found), "")
