"""The ids of students: what cannot be one, and two that are too much alike."""

import re
import unicodedata
from dataclasses import dataclass, field

from data.outside_text import quoted, unseen

_ID = re.compile(r"[^\s./\\][^/\\]{0,99}")


def id_fault(student: str) -> str:
    """Why a text cannot be a student's id, which is also part of file names; empty if it can."""
    if not student:
        return "student is empty"
    if hidden := unseen(student):
        return f"student {quoted(student)} has a character that cannot be seen, {hidden}"
    fine = "no slash, no dot in front, at most 100 letters"
    return "" if _ID.fullmatch(student) else f"student {quoted(student)} cannot be an id: {fine}"


@dataclass(slots=True)
class Ids:
    """The ids of a table so far."""

    _spelt: dict[str, tuple[str, int]] = field(default_factory=dict)

    def fault(self, student: str, line: int) -> str:
        """Why an id cannot stand on a line: see `id_fault`, or another differs in nothing but capitals."""
        if fault := id_fault(student):
            return fault
        plain = unicodedata.normalize("NFC", student).casefold()
        spelt, first = self._spelt.setdefault(plain, (student, line))
        if spelt == student:
            return ""
        return f"student {quoted(student)} is written {quoted(spelt)} on line {first}; write one student in one way"
