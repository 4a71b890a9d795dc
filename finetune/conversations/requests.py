"""OpenAI's batch form: a file of requests out, a file of responses in.

A line of requests is {"custom_id", "method", "url", "body"}, one of responses {"custom_id", "response":
{"status_code", "body"}}, as batch services and `vllm run-batch` write them. Responses may come in any order.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scribe.errors import RecordError
from scribe.plumbing.files import replace_file

URL = "/v1/chat/completions"
Prompt = Sequence[Mapping[str, str]]
"""Messages with role and content, the whole prompt."""


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
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                id, text = _parse(line, f"{path}:{number}")
                if text is not None:
                    found[id] = text
    return found


def _parse(line: bytes, where: str) -> tuple[str, str | None]:
    """A response's id and text; None for a request that failed."""
    try:
        told = json.loads(line)
        id, response = told["custom_id"], told.get("response") or {}
        if told.get("error") or response.get("status_code") != 200:
            return str(id), None
        return str(id), str(response["body"]["choices"][0]["message"]["content"] or "")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise RecordError(
            f"{where}: not a line of a batch's output: {error!r}; it needs custom_id and response.body.choices"
        ) from error
