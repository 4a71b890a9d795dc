"""Texts that people write into a course or a table: shown safely in messages, and without hidden characters."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator

QUOTED = 40  # Letters of a value that a message shows: a stray quotation mark can make a value of a whole file
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # Without these some scripts cannot be written


def quote(text: str) -> str:
    """The text in quotation marks, cut to its first letters, what cannot be seen as an escape."""
    return repr(text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…")


def find_unseen(text: str, joiners: bool = False) -> str:
    """The first character that cannot be seen, as U+202E, or an empty text; joiners: whether these may stand."""
    fine = _JOINERS if joiners else ""
    found = (each for each in text if unicodedata.category(each) in _UNSEEN and each not in fine)
    return next((f"U+{ord(each):04X}" for each in found), "")


def _check_title(text: str) -> str:
    """A title is said in reports and answers: a second line in one would read as a sentence of ours."""
    if hidden := find_unseen(text, joiners=True):
        raise ValueError(f"{quote(text)} holds {hidden}, which cannot be seen")
    return text


def _check_passage(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty")
    return text


Text = Annotated[str, AfterValidator(_check_passage)]
Title = Annotated[Text, AfterValidator(_check_title)]  # in one line, without characters that cannot be seen
