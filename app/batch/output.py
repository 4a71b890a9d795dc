"""The file of answers while a run owns it: locked, appended line by line, and put in order at the end."""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from app.batch import kept
from app.batch.kept import Kept
from scribe.errors import ScribeError, UsageError

SYNC_SECONDS = 2.0
"""How much a power cut may cost; a killed process costs nothing that was written."""
_BREAKS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}


class BrokenOff(ScribeError):
    """A run cannot go on; what it has written stays good, and the same command goes on from there."""


class Output:
    """The answers in a file, by id. Nobody else can write to it until it is closed.

    Raises UsageError for a file that cannot be written, is in use, or was not made by `scribe answer`. An old file
    stays as it is until `begin`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        if self.path.exists() and not self.path.is_file():
            raise UsageError(f"the output {path} is no file; give another --out")
        self._new = not self.path.exists()
        self._file = _locked(self.path)
        self._synced = time.monotonic()
        try:
            with self.path.open("rb") as lines:
                self.rows, self._end = kept.read(lines, path)
        except BaseException:
            os.close(self._file)
            raise

    def begin(self, fresh: bool = False) -> None:
        """Take away a last line that was cut off; `fresh` takes away all. Raises OSError."""
        if fresh:
            self.rows, self._end = {}, 0
        os.ftruncate(self._file, self._end)

    def append(self, line: Mapping[str, Any]) -> None:
        """Write one line, which another process can read at once. Raises BrokenOff if it cannot be written."""
        data = _encoded(line)
        try:
            _write(self._file, data)
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                self.sync()
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise BrokenOff(f"{self.path} cannot be written: {error.strerror}; run the same again to go on") from error
        row = kept.of(line, self._end, len(data))
        self.rows[row.id] = row
        self._end += len(data)

    def keep(self, ids: Iterable[str]) -> None:
        """Rewrite the file with the rows of these ids in this order, all at once; others are gone."""
        wanted = [self.rows[id] for id in ids]
        if [row.id for row in wanted] == list(self.rows):
            return
        partial = self.path.with_name(f"{self.path.name}.partial")
        try:
            self._replace(partial, wanted)
        except BaseException as error:
            partial.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise BrokenOff(f"{self.path} cannot be rewritten: {error.strerror}; it is as it was") from error
            raise
        with self.path.open("rb") as lines:
            self.rows, self._end = kept.read(lines, self.path)

    def _replace(self, partial: Path, rows: Collection[Kept]) -> None:
        """Put a new file in the old one's place; it is locked before it can be seen."""
        partial.unlink(missing_ok=True)
        new = _locked(partial)
        try:
            os.fchmod(new, os.fstat(self._file).st_mode & 0o777)
            for row in rows:
                _write(new, os.pread(self._file, row.length, row.start))
            os.fsync(new)
            partial.replace(self.path)
        except BaseException:
            os.close(new)
            raise
        os.close(self._file)
        self._file = new

    def sync(self) -> None:
        """Have the disk hold what was written. Raises OSError."""
        os.fsync(self._file)
        self._synced = time.monotonic()

    def close(self) -> None:
        """Let others at the file; one that was made here and stayed empty is taken away."""
        if self._new and not self.rows:
            self.path.unlink(missing_ok=True)
        else:
            with contextlib.suppress(OSError):
                self.sync()
        os.close(self._file)


def _locked(path: Path) -> int:
    """A descriptor of the file, made if it is not there, that holds its lock. Raises UsageError."""
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise UsageError(f"the output {path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between opening and locking, another run may have put a new file in its place.
            if _is_at(file, path):
                return file
        except OSError as error:
            os.close(file)
            raise UsageError(f"another run is writing {path}; wait for it, or give another --out") from error
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _encoded(line: Mapping[str, Any]) -> bytes:
    """One line for every reader: characters at which only some break lines are escaped.

    A lone surrogate, which an API can send, is nothing that UTF-8 can say, and becomes a question mark.
    """
    return json.dumps(line, ensure_ascii=False).translate(_BREAKS).encode("utf-8", "replace") + b"\n"


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
