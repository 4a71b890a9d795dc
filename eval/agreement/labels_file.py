"""The file of one person's labels: a line a label, on the disk before the next answer is shown."""

import fcntl
import os
import re
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from eval.judge.judgement import Label, read_labels, to_json
from scribe.errors import UsageError

_LABEL = TypeAdapter(Label)
Key = tuple[str, str, str]
"""Answer, which text it had, criterion."""
_NAME = re.compile(r"[^\W_][\w -]{0,39}")


class LabelsFile:
    """One person's labels in a folder. Raises UsageError for a name that cannot be a file's, or RecordError."""

    def __init__(self, folder: Path, person: str) -> None:
        if not _NAME.fullmatch(person):
            raise UsageError(f"{person!r} cannot be the name of a file; use letters, digits, blanks, - and _")
        self.person = person
        self.path = folder / f"{person}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        with self._open():
            pass
        self.labels()

    def labels(self) -> dict[Key, bool]:
        """What was labelled → the last label given. Raises RecordError."""
        return {_key(label): label.value for label in read_labels(self.path)}

    def add(self, key: Key, value: bool) -> None:
        """Write a label; when this returns it survives a power cut. Raises OSError."""
        answer, of, criterion = key
        line = to_json(Label(self.person, answer, criterion, value, of)) + "\n"
        with self._open() as file:
            os.write(file, line.encode("utf-8"))
            os.fsync(file)

    def take_back(self, among: Container[Key]) -> Key | None:
        """Remove the last line if it is of one of these, and say of which; else None. Raises RecordError or OSError.

        The file may hold labels of other answers, which nobody sees now and nobody must lose.
        """
        with self._open() as file:
            last = [_key(label) for label in read_labels(self.path)][-1:]
            if not last or last[0] not in among:
                return None
            os.ftruncate(file, _whole(self.path.read_bytes().rstrip()))
            os.fsync(file)
        return last[0]

    @contextmanager
    def _open(self) -> Iterator[int]:
        """The file, ours alone for one move and with its last line whole: the same person may have two pages open."""
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._mend(file)
            yield file
        finally:
            os.close(file)

    def _mend(self, file: int) -> None:
        """Take off a line that a crash or a full disk cut short; one that only lacks its end, stays."""
        data = self.path.read_bytes()
        whole = _whole(data)
        if whole == len(data):
            return
        try:
            _LABEL.validate_json(data[whole:])
        except ValidationError:
            os.ftruncate(file, whole)
        else:
            os.write(file, b"\n")


def _key(label: Label) -> Key:
    return label.answer, label.of, label.criterion


def _whole(data: bytes) -> int:
    """How many bytes are whole lines."""
    return data.rfind(b"\n") + 1
