"""A file of JSON lines to which one process appends; a line that a kill cut off is taken away."""

import os
from collections.abc import Iterator
from pathlib import Path

from eval.lines import read_lines
from scribe.plumbing.errors import UsageError


class LineFile:
    """Lines in a file, whole ones only; a line is on its way to the disk when `append` returns.

    Raises UsageError for a file that cannot be written. Whoever makes one sees to it that nobody else does.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.truncate(_end_of_lines(path))
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from error

    def read(self) -> Iterator[tuple[str, bytes]]:
        """Each line after where it stands ("sessions.jsonl:3")."""
        return read_lines(self.path)

    def append(self, line: str) -> None:
        """Write one line. Raises OSError."""
        with self.path.open("ab") as file:
            file.write(line.encode("utf-8", "replace") + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _end_of_lines(path: Path) -> int:
    """How many bytes of a file are whole lines."""
    return path.read_bytes().rfind(b"\n") + 1
