"""The lines of an answers file: the record with what `scribe answer` says of how it ended."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.tool_use.asked import Asked, Required
from scribe import records
from scribe.errors import RecordError
from scribe.records import Record
from scribe.trajectory import Stop

NO_CATEGORY = "not said"


@dataclass(frozen=True, slots=True)
class Answered:
    """One row. status: ok, unresolved or error. error: why there is no answer of any kind, or nothing.

    category: the kind of question. tools: acceptable first tools ("" for none); None where nobody has said.
    arguments: what a call must give, by the tool's name. language: the question's; empty where nobody has said.
    """

    record: Record
    status: str
    error: str = ""
    category: str = NO_CATEGORY
    tools: tuple[str, ...] | None = None
    arguments: Mapping[str, Required] = field(default_factory=dict)
    language: str = ""

    @property
    def id(self) -> str:
        """The row's id."""
        return self.record.id

    @property
    def course(self) -> str:
        """The course that was asked about."""
        return self.record.task.course

    @property
    def failed(self) -> bool:
        """Whether we or the world failed, so that nothing can be said of the model."""
        return self.status == "error"


def read(path: Path, asked: Mapping[str, Asked] | None = None) -> tuple[Answered, ...]:
    """The rows of a file that `scribe answer` wrote. Raises RecordError naming file and line."""
    found: dict[str, Answered] = {}
    for where, line in _lines(path):
        row = _row(line, where, asked or {})
        if row.id in found:
            raise RecordError(f"{where}: the id {row.id!r} is there twice; each question must have its own")
        found[row.id] = row
    if not found:
        raise RecordError(f"{path} holds no answers; `scribe answer QUESTIONS --out {path.name}` writes them")
    return tuple(found.values())


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield f"{path}:{number}", line
    except OSError as error:
        raise RecordError(f"the answers {path} cannot be read: {error.strerror}") from error


def _row(line: bytes, where: str, asked: Mapping[str, Asked]) -> Answered:
    data = _object(line, where)
    record = records.from_json(line, where)
    status = data.get("status") or ("ok" if record.stop is Stop.ANSWERED else "unresolved")
    question = asked.get(record.id, Asked())
    category = question.category or str(data.get("category") or NO_CATEGORY)
    why = _why(data.get("error"))
    return Answered(record, str(status), why, category, question.tools, question.arguments, question.language)


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        told = "if the line was cut off, the same `scribe answer` again goes on from there"
        raise RecordError(f"{where}: not readable JSON: {error}; {told}") from error
    if isinstance(data, dict) and "custom_id" in data:
        raise RecordError(f"{where} is in OpenAI's form, without steps; answer the file again without --openai")
    if not isinstance(data, dict) or not {"task", "steps"} <= data.keys():
        raise RecordError(f"{where}: no answer with its steps; give a file that `scribe answer` wrote")
    return data


def _why(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error or "")
    return f"{error.get('type', 'error')}: {error.get('message', '')}"
