"""The sets that come with Scribe, compressed JSON lines, or one of the same form; README.md is their card."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from eval.lines import parse_lines, read_lines
from scribe import records
from scribe.plumbing.errors import RecordError
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Trajectory

_FOLDER = Path(__file__).parent
SHIPPED = _FOLDER / "conversations.jsonl.gz"
WORDINGS, FRESH = _FOLDER / "wordings.jsonl.gz", _FOLDER / "fresh.jsonl.gz"
"""Questions and their first turns: patterns that a program filled, and some that were written one by one."""
LEANING = _FOLDER / "leaning.jsonl.gz"
"""Conversations whose answers were close to their lines from the start: follow-ups, double questions, verdicts."""
ANSWERS = {"plain": _FOLDER / "plain.jsonl.gz", "close": _FOLDER / "close.jsonl.gz"}
"""Their answers said anew for a small model: in 25 to 60 words and few figures, or close to the quoted lines."""


@dataclass(frozen=True, slots=True)
class RewrittenAnswer:
    """What the conversation of this id ends with instead."""

    id: str
    answer: str


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """A question to a course, and the first turn that it wants: why, and which tool with which arguments."""

    id: str
    course: str
    language: str
    question: str
    thought: str
    tool: str
    arguments: Mapping[str, Any]

    def as_trajectory(self, about: str, report: str = "") -> Trajectory:
        """Question and first turn of a student with this report. about: `tools.conversation.describe_course`.

        What follows the call stands for what nobody gave; rows are cut before it.
        """
        task = Task(self.course, "", self.question, report, about, language=self.language)
        act = Act(self.thought, (Call(self.tool, self.arguments),), (Observation(True, "{}"),))
        return Trajectory(task, (act, Answer("", "")), Stop.ANSWERED)


_WORDING, _ANSWER = TypeAdapter(QuestionWording), TypeAdapter(RewrittenAnswer)


def read_dataset(path: Path = SHIPPED) -> Iterator[Record]:
    """The records of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    return (records.from_json(line, where) for where, line in read_lines(path))


def read_trajectories(path: Path) -> list[Record]:
    """The records of a file of the pipeline. Raises RecordError naming file and line, or an id that is there twice."""
    found = list(records.read(path))
    if twice := [id for id, count in Counter(record.id for record in found).items() if count > 1]:
        raise RecordError(f"{path}: the id {twice[0]!r} is there twice; give each trajectory its own")
    return found


def replace_answers(found: Iterable[Record], path: Path) -> Iterator[Record]:
    """The records that have an answer in a file of `RewrittenAnswer`, each ending with it; others are left out.

    Raises RecordError naming file and line.
    """
    said = {each.id: each.answer for _, each in parse_lines(path, _ANSWER)}
    for record in found:
        if record.id in said:
            *before, last = record.steps
            assert isinstance(last, Answer)  # only conversations that ended so are kept
            text = said[record.id]
            yield replace(record, steps=(*before, replace(last, text=text)), answer=text)


def read_wordings(path: Path = WORDINGS) -> Iterator[QuestionWording]:
    """The wordings of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    return (wording for _, wording in parse_lines(path, _WORDING))
