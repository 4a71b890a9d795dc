"""A line of a file of questions: what `scribe answer` reads, and what the question means as far as anybody knows.

    {"id", "course", "student", "theory", "question", "history": [{"question", "answer"}],
     "category", "intent", "slots", "wording", "source", "style": [], "earlier": null, "second": null}

From a language model, `intent` is empty: nobody knows what tools the question needs. `earlier` is the question before,
of which `history` has the answer too; `second` is what is asked in the same breath.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from finetune.questions.question import Question
from finetune.whole import written
from scribe.errors import RecordError
from scribe.trajectory import Exchange


@dataclass(frozen=True, slots=True)
class Meant:
    """What a question means: one part of two, or the question before."""

    intent: str
    text: str
    slots: Mapping[str, str | int] = field(default_factory=dict)
    wording: str = ""

    @classmethod
    def of(cls, question: Question | None) -> "Meant | None":
        """The same of a generated question, if there is one."""
        if question is None:
            return None
        return cls(question.intent, question.text, dict(question.slots), question.wording)

    @property
    def question(self) -> Question:
        """The same as a generated question."""
        return Question(self.intent, self.text, dict(self.slots), None, self.wording)


@dataclass(frozen=True, slots=True)
class Row:
    """One question about one report. `theory` is the kind of report; `source` wrote the question; `style`: how."""

    id: str
    course: str
    student: str
    theory: str
    question: str
    category: str
    source: str
    history: tuple[Exchange, ...] = ()
    intent: str = ""
    slots: Mapping[str, str | int] = field(default_factory=dict)
    wording: str = ""
    style: tuple[str, ...] = ()
    earlier: Meant | None = None
    second: Meant | None = None

    @property
    def asked(self) -> Question | None:
        """The question with what it means, for whoever answers by intent; None where nobody knows."""
        if not self.intent:
            return None
        earlier = self.earlier.question if self.earlier else None
        second = self.second.question if self.second else None
        return Question(self.intent, self.question, dict(self.slots), earlier, self.wording, second)


_LINE = TypeAdapter(Row)


def read(path: Path) -> list[Row]:
    """The questions of a file. Raises RecordError naming file and line, OSError if there is none."""
    rows, first = [], dict[str, int]()
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        row = _row(line, f"{path}:{number}")
        if row.id in first:
            raise RecordError(f"{path}:{number}: the id {row.id!r} stands on line {first[row.id]} already")
        first[row.id] = number
        rows.append(row)
    return rows


def _row(line: str, where: str) -> Row:
    try:
        content: Any = json.loads(line)
        return _LINE.validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        named = ".".join(str(part) for part in first["loc"])
        raise RecordError(f"{where}: {named}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not JSON: {error}") from error


def to_json(row: Row) -> str:
    """The row as one line."""
    return json.dumps(asdict(row), ensure_ascii=False)


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write a file of questions, whole or not at all. Raises OSError."""
    with written(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(f"{to_json(row)}\n" for row in rows)
