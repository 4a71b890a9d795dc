"""Files of questions, as far as this comparison reads them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from scribe.errors import RecordError, UsageError

_FIELDS = ("course", "category", "question")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the course it is about and the kind of feedback it is after."""

    course: str
    category: str
    question: str


def read(path: Path) -> list[Asked]:
    """The questions of a JSON lines file. Raises RecordError naming file and line, UsageError if there are none."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    found = [_asked(line, f"{path}:{number}") for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise UsageError(f"{path} holds no question")
    return found


def _asked(line: str, where: str) -> Asked:
    try:
        content: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not JSON: {error}") from error
    fields: Mapping[str, Any] = content if isinstance(content, dict) else {}
    for name in _FIELDS:
        if not isinstance(fields.get(name), str) or not fields[name].strip():
            raise RecordError(f"{where}: {name} is missing or no text")
    return Asked(*(fields[name] for name in _FIELDS))


def strangers(path: Path | None = None) -> list[str]:
    """Questions that have nothing to do with any course, one a line; ours by default."""
    if path is not None and not path.is_file():
        raise UsageError(f"there is no file {path} of random questions")
    source = path or files(__package__).joinpath("random.txt")
    lines = [line.strip() for line in source.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]
