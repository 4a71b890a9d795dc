"""The file of one person's labels: a line a label, on the disk before the next answer is shown."""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eval.judge.judgement import Label, read_labels, to_json
from scribe.errors import UsageError

_NAME = re.compile(r"[^\W_][\w -]{0,39}")


class LabelsFile:
    """One person's labels in a folder. Raises UsageError for a name that cannot be a file's, or RecordError."""

    def __init__(self, folder: Path, person: str) -> None:
        if not _NAME.fullmatch(person):
            raise UsageError(f"{person!r} cannot be the name of a file; use letters, digits, blanks, - and _")
        self.person = person
        self.path = folder / f"{person}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        with self._open() as file:
            os.ftruncate(file, _whole(self.path.read_bytes()))
        self.labels()

    def labels(self) -> dict[tuple[str, str], bool]:
        """(answer, criterion) → the last label given. Raises RecordError."""
        return {(label.answer, label.criterion): label.value for label in read_labels(self.path)}

    def add(self, answer: str, criterion: str, value: bool) -> None:
        """Write a label; when this returns it survives a power cut. Raises OSError."""
        line = to_json(Label(self.person, answer, criterion, value)) + "\n"
        with self._open() as file:
            os.write(file, line.encode("utf-8"))
            os.fsync(file)

    def take_back(self) -> tuple[str, str] | None:
        """Remove the last line and say what it was of; None if there is none. Raises OSError."""
        last = [*read_labels(self.path)][-1:]
        if not last:
            return None
        with self._open() as file:
            os.ftruncate(file, _whole(self.path.read_bytes()[:-1]))
            os.fsync(file)
        return last[0].answer, last[0].criterion

    @contextmanager
    def _open(self) -> Iterator[int]:
        """The file, ours alone for one move: the same person may have two pages open."""
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


def _whole(data: bytes) -> int:
    """How many bytes are whole lines: a crash may have cut the last one off."""
    return data.rfind(b"\n") + 1
