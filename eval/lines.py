"""Files of JSON lines, read so that every complaint names file, line and field."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from scribe.plumbing.errors import RecordError

T = TypeVar("T")


def read_lines(path: Path, what: str = "") -> Iterator[tuple[str, bytes]]:
    """Read the lines that are not blank, each after where it stands ("answers.jsonl:3"); the file may be gzipped.

    what: the file's content, for the message. Raises RecordError where the file cannot be read.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield f"{path}:{number}", line
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"{f'{what} ' if what else ''}{path} cannot be read: {reason}") from error


def parse_lines(path: Path, kind: TypeAdapter[T], what: str = "") -> Iterator[tuple[str, T]]:
    """Read each line as a value of a kind, after where it stands. Raises RecordError naming file, line and field."""
    return ((where, parse_line(line, kind, where)) for where, line in read_lines(path, what))


def parse_line(line: str | bytes, kind: TypeAdapter[T], where: str) -> T:
    """Read one line of JSON. Raises RecordError that names `where` and the field."""
    try:
        return kind.validate_python(json.loads(line))
    except ValidationError as error:
        raise RecordError(f"{where}: {describe_problem(error)}") from error
    except (ValueError, RecursionError) as error:  # of JSON or UTF-8
        raise RecordError(f"{where}: not JSON: {error}") from error


def describe_problem(error: ValidationError) -> str:
    """The first field that is wrong, and what it should be."""
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"]))
    return f"{field}: {first['msg']}" if field else first["msg"]
