"""OpenAI's batch form: open items out as request lines, the response lines in as judgements.

A request's custom_id is the item's fingerprint, so responses may come back in any order, file or week.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from eval.judge.asking import READINGS, JudgeEndpoint, make_judgement, parse_reply
from eval.judge.items import JudgeItem
from eval.judge.judgement import Judgement
from eval.judge.verdict import parse_verdict
from eval.lines import parse_lines
from scribe.plumbing.errors import TransientError, UsageError
from scribe.plumbing.files import write_bytes

URL = "/v1/chat/completions"
_BEGINNING = b'{"custom_id"'
MOST_LINES, MOST_BYTES = 50_000, 190_000_000
"""What one file may hold: OpenAI takes 50 000 requests and 200 MB."""


@dataclass(frozen=True, slots=True)
class _ResponseLine:
    """A line of a batch's output file. response: {"status_code", "body"}, or nothing beside an error."""

    custom_id: str
    response: Any = None
    error: Any = None


_RESPONSE = TypeAdapter(_ResponseLine)


@dataclass(slots=True)
class BatchResponses:
    """What response files held.

    strange: ids of no item of this run; failed: without a reply; trouble: the first of these.
    """

    judgements: list[Judgement] = field(default_factory=list)
    strange: int = 0
    failed: int = 0
    trouble: str = ""


def write_requests(
    items: Sequence[JudgeItem], endpoint: JudgeEndpoint, path: Path, most: int = MOST_LINES
) -> list[Path]:
    """Write request files of at most so many lines: `path` itself, and path-2, path-3 … beside it for the rest.

    Raises UsageError for a file that holds something else or cannot be written.
    """
    written: list[Path] = []
    for lines in _split_files((_make_line(item, endpoint) for item in items), most):
        number = len(written) + 1
        target = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        _refuse_foreign_file(target)
        try:
            write_bytes(target, b"".join(lines))
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror}; give another --batch-out") from error
        written.append(target)
    return written


def _refuse_foreign_file(path: Path) -> None:
    """Raise UsageError unless the file is new, empty or one of requests, which can be made again."""
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(_BEGINNING)) not in (b"", _BEGINNING):
                raise UsageError(f"{path} holds something else than batch requests; give another --batch-out")


def _make_line(item: JudgeItem, endpoint: JudgeEndpoint) -> bytes:
    body = endpoint.make_body(item.messages, item.repeat * READINGS)
    line = {"custom_id": item.fingerprint, "method": "POST", "url": URL, "body": body}
    return json.dumps(line).encode() + b"\n"


def _split_files(lines: Iterable[bytes], most: int) -> Iterator[list[bytes]]:
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


def read_responses(paths: Sequence[Path], items: Sequence[JudgeItem], endpoint: JudgeEndpoint) -> BatchResponses:
    """Read the judgements in response files. Raises RecordError naming file and line for what is no response."""
    by_fingerprint = {item.fingerprint: item for item in items}
    found = BatchResponses()
    for where, line in (each for path in paths for each in parse_lines(path, _RESPONSE, "the responses")):
        item = by_fingerprint.get(line.custom_id)
        if item is None:
            found.strange += 1
            continue
        try:
            reply = parse_reply(_get_completion(line))
        except TransientError as error:
            found.failed += 1
            found.trouble = found.trouble or f"{where}: {error}"
            continue
        parsed = parse_verdict(reply.text, item.rubric.decision, reply.thought, reply.cut_off)
        found.judgements.append(make_judgement(item, endpoint.model, parsed, [reply]))
    return found


def _get_completion(line: _ResponseLine) -> Any:
    """The chat completion of a response line. Raises TransientError with the error that stands there instead."""
    response = line.response
    if line.error or not isinstance(response, dict) or response.get("status_code") != 200:
        raise TransientError(f"no reply: {str(line.error or response)[:200]}")
    return response.get("body")
