"""One question of a file, from fields of any form, and everything that is wrong with the file."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scribe.errors import UsageError
from scribe.trajectory import Exchange

MOST_SHOWN = 20
"""Problems that a refusal lists; the rest are counted."""

Note = Callable[[str], None]
"""Takes down one problem of a place that it knows."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question, whose it is, and the line it stands on, counted from 1.

    Once checked, `course` and `student` are ids of a bundle and `theory` is a kind of report that this student has.
    """

    id: str
    course: str
    student: str
    question: str
    theory: str = ""
    history: tuple[Exchange, ...] = ()
    line: int = 0


@dataclass(slots=True)
class Problems:
    """What is wrong with an input file, in the order found."""

    path: Path
    found: list[tuple[int, str]] = field(default_factory=list)

    def at(self, line: int) -> Note:
        """Where to note problems of this line."""
        return lambda what: self.found.append((line, what))

    def settle(self) -> None:
        """Raise UsageError with the first of them, in the file's order, if there are any."""
        if not self.found:
            return
        count = len(self.found)
        told = [f"{self.path}:{line}: {what}" for line, what in sorted(self.found, key=lambda each: each[0])]
        rest = [f"and {count - MOST_SHOWN} more"] if count > MOST_SHOWN else []
        head = f"nothing was answered, because {self.path} has {count} problem{'s' if count > 1 else ''}:"
        raise UsageError("\n  ".join([head, *told[:MOST_SHOWN], *rest]))


NEEDED = ("id", "course", "student", "question")
OPTIONAL = ("theory", "history")
EVALUATED = ("category", "tools", "intent", "source")
"""What lines for evaluation and training hold beside; not read here, and no misspelling of what is."""
LONGEST_ID = 200
_ALIKE = 0.7
"""From this similarity on, an unknown field is taken for a misspelt one that is not there; others are left alone."""


def make_row(fields: Mapping[str, Any], line: int, note: Note) -> QuestionRow | None:
    """The row that these fields make, or None after noting what is wrong with them."""
    noted: list[str] = [*_misspelt(fields)]
    texts = {name: _text(name, fields.get(name), noted) for name in NEEDED}
    theory = _text("theory", fields["theory"], noted) if fields.get("theory") is not None else ""
    history = _history(fields.get("history"), noted)
    if len(texts["id"]) > LONGEST_ID:
        noted.append(f"the id has {len(texts['id'])} characters; at most {LONGEST_ID}")
    for each in noted:
        note(each)
    return None if noted else QuestionRow(**texts, theory=theory, history=history, line=line)


def _misspelt(fields: Mapping[str, Any]) -> list[str]:
    """Fields that nobody reads but somebody meant to be read."""
    missing = [name for name in (*NEEDED, *OPTIONAL) if name not in fields]
    unknown = [name for name in fields if name not in (*NEEDED, *OPTIONAL, *EVALUATED)]
    close = {name: difflib.get_close_matches(name, missing, 1, _ALIKE) for name in unknown}
    return [f"there is no field {name!r}; did you mean {alike[0]}?" for name, alike in close.items() if alike]


def _text(name: str, value: Any, noted: list[str]) -> str:
    """A field as text without white space around it; a whole number is taken as text."""
    if value is None:
        noted.append(f"{name} is missing")
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        noted.append(f"{name} must be text and is {value!r:.40}")
        return ""
    text = str(value).strip()
    if not text:
        noted.append(f"{name} is empty")
    elif not _writable(text):
        noted.append(f"{name} is not readable text; write it in UTF-8")
    return text


def _history(value: Any, noted: list[str]) -> tuple[Exchange, ...]:
    """Earlier exchanges, oldest first."""
    if value is None:
        return ()
    wanted = 'history must be a list of {"question": …, "answer": …}'
    if not isinstance(value, list):
        noted.append(f"{wanted} and is {value!r:.40}")
        return ()
    for number, each in enumerate(value, start=1):
        if not isinstance(each, dict) or not all(_is_text(each.get(key)) for key in ("question", "answer")):
            noted.append(f"{wanted}; entry {number} is {each!r:.60}")
            return ()
    return tuple(Exchange(each["question"], each["answer"]) for each in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and _writable(value)


def _writable(text: str) -> bool:
    """Whether it can be written as UTF-8; half a surrogate pair, which JSON may hold, cannot."""
    return not any("\ud800" <= each <= "\udfff" for each in text)
