"""The rows of an answers file, each with what the questions' file expects of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from eval.lines import parse_lines, read_lines
from scribe import records
from scribe.plumbing.errors import RecordError
from scribe.records import Record
from scribe.trajectory import Call, Observation, Stop

NO_CATEGORY = "not said"
_HAS_OURS = "`jq -c .scribe ANSWERS > OURS` takes our form out of each line"
_HAS_NOT_OURS = "it holds neither report nor steps; let `scribe answer` answer the questions"
RequiredArguments = Mapping[str, int | str]
"""By an argument's name, what a call must give: this number, or a text that holds this one."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the questions' file says of a question, and answers do not repeat.

    category: empty where it is not said. tools: acceptable first tools, "" for none; None where it is not said.
    arguments: what a call to a tool must give, by the tool's name. language: such as "fr"; empty where it is not said.
    """

    category: str = ""
    tools: tuple[str, ...] | None = None
    arguments: Mapping[str, RequiredArguments] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One row of an answers file.

    status: ok, unresolved or error. error: why there is no answer of any kind, or nothing.
    unsupported: what of the answer nothing supports; None without an answer, or where it was not checked.
    The other fields are those of `Expectation`; of the category, what the answers say counts too.
    """

    record: Record
    status: str
    error: str = ""
    category: str = NO_CATEGORY
    tools: tuple[str, ...] | None = None
    arguments: Mapping[str, RequiredArguments] = field(default_factory=dict)
    language: str = ""
    unsupported: Sequence[str] | None = None

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

    @property
    def calls(self) -> list[tuple[Call, Observation]]:
        """Each call with what the tool said."""
        return [pair for act in self.record.trajectory.acts for pair in zip(act.calls, act.observations, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExpectedQuestion(Expectation):
    """A line of the questions' file."""

    id: str | int


FindUnsupported = Callable[[Record], Sequence[str] | None]
_QUESTION = TypeAdapter(_ExpectedQuestion)


def read_expectations(path: Path) -> dict[str, Expectation]:
    """Read a questions' file such as `eval/student_questions.jsonl` by id. Raises RecordError naming file and line."""
    return {str(question.id): question for _, question in parse_lines(path, _QUESTION, "the questions")}


def read_answers(
    path: Path, expectations: Mapping[str, Expectation] | None = None, find_unsupported: FindUnsupported | None = None
) -> tuple[AnswerRow, ...]:
    """Read a file that `scribe answer` wrote. Raises RecordError naming file and line."""
    found: dict[str, AnswerRow] = {}
    for where, line in read_lines(path, "the answers"):
        row = _to_row(line, where, expectations or {}, find_unsupported)
        if row.id in found:
            raise RecordError(f"{where}: the id {row.id!r} is there twice; each question must have its own")
        found[row.id] = row
    if not found:
        raise RecordError(f"{path} holds no answers; `scribe answer QUESTIONS --out {path.name}` writes them")
    return tuple(found.values())


def _to_row(
    line: bytes, where: str, expectations: Mapping[str, Expectation], find_unsupported: FindUnsupported | None
) -> AnswerRow:
    data = _parse(line, where)
    record = records.from_json(line, where)
    status = data.get("status") or ("ok" if record.stop is Stop.ANSWERED else "unresolved")
    expected = expectations.get(record.id, Expectation())
    category = expected.category or str(data.get("category") or NO_CATEGORY)
    error = data.get("error") or ""
    if isinstance(error, dict):
        error = f"{error.get('type', 'error')}: {error.get('message', '')}"
    return AnswerRow(
        record,
        str(status),
        str(error),
        category,
        expected.tools,
        expected.arguments,
        expected.language,
        find_unsupported(record) if find_unsupported else None,
    )


def _parse(line: bytes, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        advice = "if the line was cut off, the same `scribe answer` again goes on from there"
        raise RecordError(f"{where}: not readable JSON: {error}; {advice}") from error
    if isinstance(data, dict) and "custom_id" in data:
        raise RecordError(f"{where} is in OpenAI's batch form; {_HAS_OURS if 'scribe' in data else _HAS_NOT_OURS}")
    if not isinstance(data, dict) or not {"task", "steps"} <= data.keys():
        raise RecordError(f"{where}: no answer with its steps; give a file that `scribe answer` wrote")
    return data
