"""A question that a conversation begins with or goes on to, and files of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from scribe.errors import RecordError


@dataclass(frozen=True, slots=True)
class Question:
    """What a student types."""

    id: str
    course: str
    student: str
    theory: str
    """The kind of report the student has."""
    question: str
    follows: str = ""
    """The id of the question whose answer this one leans on; empty for the first of a conversation."""
    slip: bool = False
    """The writer is to make a typical mistake in its first call, and to put it right."""


_LINE = TypeAdapter(Question)


def read_questions(path: Path) -> list[Question]:
    """The questions of a JSON lines file, each after the one that it follows.

    Raises RecordError naming file and line for what is no question, an id that stands twice, or a question that
    follows none before it.
    """
    found: dict[str, Question] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                one = _parse(line, f"{path}:{number}")
                if one.id in found:
                    raise RecordError(f"{path}:{number}: the id {one.id!r} stands twice; give each question its own")
                if one.follows and one.follows not in found:
                    raise RecordError(f"{path}:{number}: it follows {one.follows!r}, which does not stand before it")
                found[one.id] = one
    return list(found.values())


def find_chain(question: Question, by_id: Mapping[str, Question]) -> list[Question]:
    """The questions that this one follows, the first of the conversation first."""
    chain: list[Question] = []
    while question.follows:
        question = by_id[question.follows]
        chain.insert(0, question)
    return chain


def _parse(line: bytes, where: str) -> Question:
    try:
        return _LINE.validate_python(json.loads(line))
    except (ValueError, ValidationError, RecursionError) as error:
        raise RecordError(f"{where}: not a question: {str(error).splitlines()[0]}") from error
