"""The fields of one row, whatever the file's form, to a row: types, what is missing, what is misspelt."""

import difflib
from collections.abc import Mapping
from typing import Any

from app.batch.row import Note, Row
from scribe.trajectory import Exchange

NEEDED = ("id", "course", "student", "question")
OPTIONAL = ("theory", "history")
EVALUATED = ("category", "tools", "intent", "source")
"""What lines for evaluation and training hold beside; not read here, and no misspelling of what is."""
LONGEST_ID = 200
_ALIKE = 0.7
"""From this similarity on, an unknown field is taken for a misspelt one that is not there; others are left alone."""


def row(fields: Mapping[str, Any], line: int, note: Note) -> Row | None:
    """The row that these fields make, or None after noting what is wrong with them."""
    noted: list[str] = [*_misspelt(fields)]
    texts = {name: _text(name, fields.get(name), noted) for name in NEEDED}
    theory = _text("theory", fields["theory"], noted) if fields.get("theory") is not None else ""
    history = _history(fields.get("history"), noted)
    if len(texts["id"]) > LONGEST_ID:
        noted.append(f"the id has {len(texts['id'])} characters; at most {LONGEST_ID}")
    for each in noted:
        note(each)
    return None if noted else Row(**texts, theory=theory, history=history, line=line)


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
