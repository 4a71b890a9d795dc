"""Conversations as a compressed file of records: the set that comes with Scribe, or one that was made here."""

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

from finetune.whole import written
from scribe import records
from scribe.errors import RecordError
from scribe.records import Record

SHIPPED = Path(__file__).with_name("conversations.jsonl.gz")
"""The set that comes with Scribe; README.md beside it is its card."""


def read_dataset(path: Path = SHIPPED) -> Iterator[Record]:
    """The records of a file of JSON lines, compressed with gzip. Raises RecordError naming file and line."""
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield records.from_json(line, f"{path}:{number}")
    except (OSError, EOFError) as error:
        raise RecordError(f"{path} cannot be read as gzip: {error}") from error


def write_dataset(path: Path, kept: Iterable[Record]) -> None:
    """Write records compressed, whole or not at all; the same records give the same bytes."""
    with (
        written(path) as partial,
        partial.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=0) as file,
    ):
        for record in kept:
            file.write(records.to_json(record).encode() + b"\n")
