"""Conversations as a compressed file of records: the set that comes with Scribe, or one that was made here."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from finetune.whole import written
from scribe import records
from scribe.errors import RecordError, UsageError
from scribe.records import Record
from scribe.trajectory import Answer

SHIPPED = Path(__file__).with_name("conversations.jsonl.gz")
"""The set that comes with Scribe; README.md beside it is its card."""
PLAIN = Path(__file__).with_name("plain.jsonl.gz")
"""Each of its answers said anew in 25 to 60 words and few figures, for a small model; by the record's id."""


def read_dataset(path: Path = SHIPPED) -> Iterator[Record]:
    """The records of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield records.from_json(line, f"{path}:{number}")
    except (OSError, EOFError) as error:
        raise RecordError(f"{path} cannot be read as gzip: {error}") from error


def with_plain_answers(found: Iterable[Record], path: Path = PLAIN) -> Iterator[Record]:
    """The records, each with its plain answer. Raises UsageError for one that has none; RecordError for a bad file."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            said = {each["id"]: str(each["answer"]) for each in map(json.loads, file)}
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
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
        written(path) as partial,
        partial.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=0) as file,
    ):
        for record in kept:
            file.write(records.to_json(record).encode() + b"\n")
