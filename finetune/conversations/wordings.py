"""Questions in many wordings, each with the reasoning and the call that it wants, for a small model to learn to read.

README.md is their card. They hold no result and no answer; a model that learns from them learns which tool a question
wants and which words of it belong into the call, nothing else.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from scribe.errors import RecordError
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Trajectory

WORDINGS = Path(__file__).with_name("wordings.jsonl.gz")
"""The set that comes with Scribe."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A question to a course, and the first turn that it wants: why, and which tool with which arguments."""

    id: str
    course: str
    language: str
    question: str
    thought: str
    tool: str
    arguments: Mapping[str, Any]

    def as_trajectory(self, about: str) -> Trajectory:
        """Question and first turn as of a student without a report. about: `tools.conversation.task.describe_course`.

        What follows the call stands for a result and an answer that nobody gave; rows are cut before it.
        """
        task = Task(self.course, "", self.question, "", about, language=self.language)
        act = Act(self.thought, (Call(self.tool, self.arguments),), (Observation(True, "{}"),))
        return Trajectory(task, (act, Answer("", "")), Stop.ANSWERED)


_LINE = TypeAdapter(Wording)


def read_wordings(path: Path = WORDINGS) -> Iterator[Wording]:
    """The wordings of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parse(line, f"{path}:{number}")
    except (OSError, EOFError) as error:
        raise RecordError(f"{path} cannot be read as gzip: {error}") from error


def _parse(line: bytes, where: str) -> Wording:
    try:
        return _LINE.validate_python(json.loads(line))
    except (ValueError, ValidationError, RecursionError) as error:
        raise RecordError(f"{where}: not a wording: {str(error).splitlines()[0]}") from error
