"""Files of lines, read so that every complaint can name file and line."""

from collections.abc import Iterator
from pathlib import Path

from scribe.errors import RecordError


def read_lines(path: Path, what: str = "") -> Iterator[tuple[str, bytes]]:
    """Read the lines that are not blank, each after where it stands ("answers.jsonl:3").

    what: the file's content, for the message. Raises RecordError where the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield f"{path}:{number}", line
    except OSError as error:
        raise RecordError(f"{f'{what} ' if what else ''}{path} cannot be read: {error.strerror}") from error
