"""What readers said of answers: a line an answer and reader, YES or NO by five criteria and a figure."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from annotated_types import Ge, Le
from pydantic import TypeAdapter, ValidationError

from scribe.errors import RecordError

CRITERIA = ("relevant", "actionable", "tool", "correct", "language")
"""The rubric's, as fields of a mark."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One reader's verdicts on one answer. naturalness: 1 (nobody would say it so) to 5. why: of each NO, in words."""

    id: str
    reader: str
    relevant: bool
    actionable: bool
    tool: bool
    correct: bool
    language: bool
    naturalness: Annotated[int, Ge(1), Le(5)]
    why: str = ""

    def says(self, criterion: str) -> bool:
        """The verdict on one criterion, or on "all" of them."""
        return all(getattr(self, each) for each in (CRITERIA if criterion == "all" else (criterion,)))


_MARK = TypeAdapter(Mark)


def read_marks(path: Path) -> list[Mark]:
    """The marks of a file, gzipped or not. Raises RecordError naming file and line."""
    found: list[Mark] = []
    for number, line in enumerate(_lines(path), start=1):
        try:
            found.append(_MARK.validate_python(json.loads(line)))
        except (ValueError, ValidationError) as error:
            raise RecordError(f"{path}:{number}: {error}") from error
    return found


def _lines(path: Path) -> Iterator[str]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read: {error}") from error
