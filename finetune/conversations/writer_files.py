"""What goes to a writer and comes back by files: questions in, requests out, responses in.

Requests and responses are in OpenAI's batch form, {"custom_id", "method", "url", "body"} and {"custom_id", "response":
{"status_code", "body"}}, as batch services and `vllm run-batch` write them. Responses may come in any order.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from eval.lines import parse_lines, read_lines
from scribe.plumbing.errors import RecordError
from scribe.plumbing.files import replace_file

URL = "/v1/chat/completions"
Prompt = Sequence[Mapping[str, str]]
"""Messages with role and content, the whole prompt."""


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


_QUESTION = TypeAdapter(Question)


def read_questions(path: Path) -> list[Question]:
    """The questions of a JSON lines file, each after the one that it follows.

    Raises RecordError naming file and line for what is no question, an id that stands twice, or a question that
    follows none before it.
    """
    found: dict[str, Question] = {}
    for where, one in parse_lines(path, _QUESTION, "the questions"):
        if one.id in found:
            raise RecordError(f"{where}: the id {one.id!r} stands twice; give each question its own")
        if one.follows and one.follows not in found:
            raise RecordError(f"{where}: it follows {one.follows!r}, which does not stand before it")
        found[one.id] = one
    return list(found.values())


def write_requests(path: Path, prompts: Mapping[str, Prompt], body: Mapping[str, Any]) -> None:
    """Write a request for each prompt by its id, whole or not at all. body: what each has besides, as the model."""
    with replace_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        for id, messages in prompts.items():
            line = {"custom_id": id, "method": "POST", "url": URL, "body": {**body, "messages": list(messages)}}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_responses(path: Path) -> dict[str, str]:
    """The text of each response by its request's id; failed requests are left out, to be asked again.

    Of an id that stands twice the last counts. Raises RecordError naming file and line for what is no response.
    """
    found: dict[str, str] = {}
    for where, line in read_lines(path, "the responses"):
        try:
            told = json.loads(line)
            id, response = told["custom_id"], told.get("response") or {}
            if not told.get("error") and response.get("status_code") == 200:
                found[str(id)] = str(response["body"]["choices"][0]["message"]["content"] or "")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise RecordError(
                f"{where}: not a line of a batch's output: {error!r}; it needs custom_id and response.body.choices"
            ) from error
    return found
