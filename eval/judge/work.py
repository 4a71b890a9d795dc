"""What is to be judged: every answer by every criterion as often as wanted, each with its fingerprint."""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.judge import described, material, prompt
from eval.judge.described import LinesOf
from eval.judge.digest import digest
from eval.judge.prompt import Messages
from eval.judge.rubric import Rubric
from scribe import records
from scribe.errors import RecordError, UsageError
from scribe.records import Record

_OURS = "`jq -c .scribe ANSWERS > OURS` takes our form out of each line, and that can be judged"
_NOT_OURS = (
    "it holds neither report nor trace, without which nothing can be judged; let `scribe answer` answer the questions"
)


@dataclass(frozen=True, slots=True)
class Case:
    """One answered question of one run."""

    run: str
    record: Record


@dataclass(frozen=True, slots=True)
class Runs:
    """What was read: the answered questions, and how many rows of each run have no answer to judge."""

    cases: tuple[Case, ...]
    unanswered: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Item:
    """One request to come. material: as written, which all requests on the answer share; size: characters.

    of: which text it is, as a judgement says it.
    """

    case: Case
    rubric: Rubric
    repeat: int
    fingerprint: str
    size: int
    material: str
    of: str

    @property
    def messages(self) -> Messages:
        """The request's text, made when it is needed: that of ten thousand does not fit in memory."""
        return prompt.messages(self.material, self.rubric)


def read(paths: Sequence[Path], limit: int | None = None) -> Runs:
    """The first `limit` rows of each answers file. Raises RecordError or UsageError naming file and line."""
    cases: list[Case] = []
    unanswered: dict[str, int] = {}
    for path, run in zip(paths, names(paths), strict=True):
        rows = _rows(path)[:limit]
        answered = [record for record in rows if record.answer is not None]
        cases += [Case(run, record) for record in answered]
        unanswered[run] = len(rows) - len(answered)
    return Runs(tuple(cases), unanswered)


def names(paths: Sequence[Path]) -> list[str]:
    """What each run is called: its file's name without the ending, with the folder where that is not enough."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("the same file of answers is named twice; name each once")
    stems, folded = [path.stem for path in paths], [str(path.with_suffix("")) for path in paths]
    return [
        stem if stems.count(stem) == 1 else longer if folded.count(longer) == 1 else str(path)
        for path, stem, longer in zip(paths, stems, folded, strict=True)
    ]


def _rows(path: Path) -> list[Record]:
    try:
        rows = list(_records(path))
    except OSError as error:
        raise UsageError(f"the answers {path} cannot be read: {error.strerror}; `scribe answer` writes them") from error
    if not rows:
        raise RecordError(f"{path} holds no answers; `scribe answer QUESTIONS --out {path.name}` writes them")
    seen: set[str] = set()
    for record in rows:
        if record.id in seen:
            raise RecordError(f"{path}: the id {record.id!r} is there twice; give each answer its own")
        seen.add(record.id)
    return rows


def _records(path: Path) -> Iterator[Record]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield _record(line, f"{path}:{number}")


def _record(line: bytes, where: str) -> Record:
    """The record of a line. Raises RecordError, which says of OpenAI's form what to do about it."""
    try:
        return records.from_json(line, where)
    except RecordError as error:
        content: Any = None
        with contextlib.suppress(ValueError, RecursionError):
            content = json.loads(line)
        if not isinstance(content, dict) or "custom_id" not in content:
            raise
        what = _OURS if "scribe" in content else _NOT_OURS
        raise RecordError(f"{where} is in OpenAI's batch form; {what}") from error


def items(
    cases: Iterable[Case], rubrics: Sequence[Rubric], repeats: int, tools: LinesOf, identity: Mapping[str, Any]
) -> list[Item]:
    """Everything to be judged, answer by answer, so that a server can keep what it has read of one."""
    labels = tuple(sorted({rubric.decision for rubric in rubrics}))
    found: list[Item] = []
    for case in cases:
        written = material.of(case.record, described.told(case.record, tools(case.record))).written(labels)
        of = digest(case.record)
        for rubric in rubrics:
            messages = prompt.messages(written, rubric)
            text = json.dumps([messages, dict(identity)], sort_keys=True)
            size = sum(len(message["content"]) for message in messages)
            found += [Item(case, rubric, n, fingerprint(text, n), size, written, of) for n in range(repeats)]
    return found


def fingerprint(text: str, repeat: int) -> str:
    """64 hexadecimal digits for what is asked, of whom, and which repeat it is."""
    return hashlib.sha256(f"{repeat} {text}".encode("utf-8", "replace")).hexdigest()
