"""OpenAI's batch form: open items out as request lines, the response lines in as judgements.

A request's custom_id is the item's fingerprint, so responses may come back in any order, file or week.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.judge import verdict
from eval.judge.asking import READINGS, made
from eval.judge.endpoint import Endpoint, reply
from eval.judge.judgement import Judgement
from eval.judge.work import Item
from scribe.errors import TransientError, UsageError

URL = "/v1/chat/completions"
MOST_LINES, MOST_BYTES = 50_000, 190_000_000
"""What one file may hold: OpenAI takes 50 000 requests and 200 MB."""


@dataclass(slots=True)
class Incoming:
    """What response files held. strange: ids of no item of this run; failed: without a reply; trouble: the first."""

    judgements: list[Judgement] = field(default_factory=list)
    strange: int = 0
    failed: int = 0
    trouble: str = ""


def write(items: Sequence[Item], endpoint: Endpoint, path: Path, most: int = MOST_LINES) -> list[Path]:
    """Write request files of at most so many lines: `path` itself, and path-2, path-3 … beside it for the rest."""
    written: list[Path] = []
    for lines in _portions((_request(item, endpoint) for item in items), most):
        number = len(written) + 1
        target = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        _refuse_foreign(target)
        partial = target.with_name(f"{target.name}.partial")
        try:
            partial.write_bytes(b"".join(lines))
            partial.replace(target)
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror}; give another --batch-out") from error
        written.append(target)
    return written


def _refuse_foreign(path: Path) -> None:
    """Raise UsageError unless the file is new, empty or one of requests, which can be made again."""
    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            first = file.readline()
        try:
            line = json.loads(first)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict) or not {"custom_id", "body"} <= set(line):
            raise UsageError(f"{path} holds something else than batch requests; give another --batch-out")


def _request(item: Item, endpoint: Endpoint) -> bytes:
    body = endpoint.body(item.messages, item.repeat * READINGS)
    line = {"custom_id": item.fingerprint, "method": "POST", "url": URL, "body": body}
    return json.dumps(line).encode() + b"\n"


def _portions(lines: Iterable[bytes], most: int) -> Iterator[list[bytes]]:
    portion: list[bytes] = []
    size = 0
    for line in lines:
        if portion and (len(portion) >= most or size + len(line) > MOST_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(line)
        size += len(line)
    if portion:
        yield portion


def read(paths: Sequence[Path], items: Sequence[Item], endpoint: Endpoint) -> Incoming:
    """The judgements in response files. Raises UsageError naming file and line for what is no response."""
    by_print = {item.fingerprint: item for item in items}
    found = Incoming()
    for path in paths:
        for where, line in _lines(path):
            item = by_print.get(str(line.get("custom_id")))
            if item is None:
                found.strange += 1
                continue
            try:
                said = reply(_body(line))
            except TransientError as error:
                found.failed += 1
                found.trouble = found.trouble or f"{where}: {error}"
                continue
            read = verdict.of_reply(said.text, item.rubric.decision, said.thought, said.cut_off)
            found.judgements.append(made(item, endpoint.model, read, [said]))
    return found


def _body(line: Mapping[str, Any]) -> Any:
    """The chat completion of a response line. Raises TransientError with the error that stands there instead."""
    response = line.get("response")
    if line.get("error") or not isinstance(response, dict) or response.get("status_code") != 200:
        raise TransientError(f"no reply: {str(line.get('error') or response)[:200]}")
    return response.get("body")


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        with path.open("rb") as file:
            for number, text in enumerate(file, start=1):
                if text.strip():
                    yield f"{path}:{number}", _parsed(text, f"{path}:{number}")
    except OSError as error:
        raise UsageError(f"the responses {path} cannot be read: {error.strerror}") from error


def _parsed(text: bytes, where: str) -> Mapping[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON ({error}); download the batch's output file again") from error
    if not isinstance(line, dict) or "custom_id" not in line:
        raise UsageError(f"{where}: not a line of a batch's output file: custom_id is missing")
    return line
