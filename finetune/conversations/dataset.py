"""The sets that come with Scribe, compressed JSON lines, or one of the same form; README.md is their card."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from scribe import records
from scribe.errors import RecordError, UsageError
from scribe.plumbing.files import replace_file
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Trajectory

SHIPPED = Path(__file__).with_name("conversations.jsonl.gz")
PLAIN = Path(__file__).with_name("plain.jsonl.gz")
"""Each of its answers said anew in 25 to 60 words and few figures, for a small model; by the record's id."""
WORDINGS = Path(__file__).with_name("wordings.jsonl.gz")


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """A question to a course, and the first turn that it wants: why, and which tool with which arguments.

    It holds no result and no answer: a model learns from it which tool a question wants and which words of it belong
    into the call, nothing else.
    """

    id: str
    course: str
    language: str
    question: str
    thought: str
    tool: str
    arguments: Mapping[str, Any]

    def as_trajectory(self, about: str) -> Trajectory:
        """Question and first turn as of a student without a report. about: `tools.conversation.describe_course`.

        What follows the call stands for a result and an answer that nobody gave; rows are cut before it.
        """
        task = Task(self.course, "", self.question, "", about, language=self.language)
        act = Act(self.thought, (Call(self.tool, self.arguments),), (Observation(True, "{}"),))
        return Trajectory(task, (act, Answer("", "")), Stop.ANSWERED)


_WORDING = TypeAdapter(QuestionWording)


def read_dataset(path: Path = SHIPPED) -> Iterator[Record]:
    """The records of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    return (records.from_json(line, where) for line, where in _read_lines(path))


def with_plain_answers(found: Iterable[Record], path: Path = PLAIN) -> Iterator[Record]:
    """The records, each with its plain answer. Raises UsageError for one that has none; RecordError for a bad file."""
    try:
        said = {each["id"]: str(each["answer"]) for each in (json.loads(line) for line, _ in _read_lines(path))}
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path} cannot be read as plain answers: {error}") from error
    for record in found:
        if record.id not in said:
            raise UsageError(f"{record.id} has no plain answer; `plain` is for the set that comes with Scribe alone")
        trajectory = record.trajectory
        last = trajectory.steps[-1]
        assert isinstance(last, Answer)  # only conversations that ended so are kept
        steps = (*trajectory.steps[:-1], replace(last, text=said[record.id]))
        yield Record.of(replace(trajectory, steps=steps), record.id, record.model)


def write_dataset(path: Path, kept: Iterable[Record]) -> None:
    """Write records compressed, whole or not at all; the same records give the same bytes."""
    with (
        replace_file(path) as partial,
        partial.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=0) as file,
    ):
        file.writelines(records.to_json(record).encode() + b"\n" for record in kept)


def read_wordings(path: Path = WORDINGS) -> Iterator[QuestionWording]:
    """The wordings of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    for line, where in _read_lines(path):
        try:
            yield _WORDING.validate_python(json.loads(line))
        except (ValueError, ValidationError, RecursionError) as error:
            raise RecordError(f"{where}: not a wording: {str(error).splitlines()[0]}") from error


def _read_lines(path: Path) -> Iterator[tuple[bytes, str]]:
    """The lines of a compressed file that hold something, each with file and number for messages."""
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield line, f"{path}:{number}"
    except (OSError, EOFError) as error:
        raise RecordError(f"{path} cannot be read as gzip: {error}") from error
