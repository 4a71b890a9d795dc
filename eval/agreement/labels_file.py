"""The file of one person's labels: a line a label, on the disk before the next answer is shown."""

import re
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from eval.judge.judgement import Label, parse_label, read_labels, to_json
from scribe.errors import RecordError, UsageError
from scribe.plumbing.files import PRIVATE, lock, write_bytes

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
        with self._edit():
            pass
        self.labels()

    def labels(self) -> dict[Key, bool]:
        """What was labelled → the last label given. Raises RecordError."""
        return {_key(label): label.value for label in read_labels(self.path)}

    def add(self, key: Key, value: bool) -> None:
        """Write a label; when this returns it survives a power cut. Raises OSError."""
        answer, of, criterion = key
        with self._edit() as lines:
            lines.append(to_json(Label(self.person, answer, criterion, value, of)).encode("utf-8"))

    def take_back(self, among: Container[Key]) -> Key | None:
        """Remove the last line if it is of one of these, and say of which; else None. Raises RecordError or OSError.

        The file may hold labels of other answers, which nobody sees now and nobody must lose.
        """
        with self._edit() as lines:
            last = _key(parse_label(lines[-1], f"{self.path}:{len(lines)}")) if lines else None
            if last is None or last not in among:
                return None
            lines.pop()
        return last

    @contextmanager
    def _edit(self) -> Iterator[list[bytes]]:
        """The lines, ours alone for one move, and written anew after it: the same person may have two pages open.

        A line that a crash or a full disk cut short is left out; one that only lacks its end stays.
        """
        with lock(self.path):
            before = self.path.read_bytes() if self.path.exists() else None
            lines = [line for line in (before or b"").splitlines() if line.strip()]
            if lines and not (before or b"").endswith(b"\n") and _is_torn(lines[-1]):
                lines.pop()
            yield lines
            after = b"".join(line + b"\n" for line in lines)
            if after != before:
                write_bytes(self.path, after, PRIVATE)


def _is_torn(line: bytes) -> bool:
    try:
        parse_label(line)
    except RecordError:
        return True
    return False


def _key(label: Label) -> Key:
    return label.answer, label.of, label.criterion
