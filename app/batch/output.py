"""The file of answers while a run owns it: locked, appended line by line, put in order at the end; and its manifest.

`OUT.manifest.json` says where the answers come from: the input and its hash, settings, model, the fingerprints' parts,
counts by status and totals over the whole output, and one entry for each run that wrote to it.
"""

import contextlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from app.batch.result import STATUSES
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.files import lock, replace_file
from scribe.plumbing.manifest import read_manifest, write_manifest
from scribe.trajectory import Usage

State = Literal["running", "finished", "interrupted", "stopped", "killed"]
"""stopped: by too many errors, or by one that was not a row's. killed: it could not say so itself."""
_CREDENTIALS = re.compile(r"(?<=//)[^/@\s\"]+@")
_BREAKS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
_HEAD = b'{"id": "'
"""How each of our lines begins, in either form."""


class BrokenOff(ScribeError):
    """A run cannot go on; what it has written stays good, and the same command goes on from there."""


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A finished row as it lies in the file: at which byte it starts, and its length with the line break."""

    id: str
    status: str
    fingerprint: Mapping[str, str]
    usage: Usage
    openai: bool
    start: int
    length: int

    @classmethod
    def of(cls, line: Mapping[str, Any], start: int, length: int) -> "KeptRow":
        """What is known of a line that was written or read. Raises KeyError or TypeError if it is none of ours."""
        openai = "custom_id" in line
        own = line["scribe"] if openai else line
        usage = Usage(**own["usage"])
        if not all(isinstance(value, int | float) for value in asdict(usage).values()):
            raise TypeError("usage holds something that is no number")
        if own["status"] not in STATUSES:
            raise TypeError("a status that is none of ours")
        return cls(str(own["id"]), str(own["status"]), dict(own["fingerprint"]), usage, openai, start, length)


class Output:
    """The answers in a file, by id. Nobody else can write to it until it is closed.

    Raises UsageError for a file that cannot be written, is in use, or was not made by `scribe answer`. An old file
    stays as it is until `begin`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        if self.path.exists() and not self.path.is_file():
            raise UsageError(f"the output {path} is no file; give another --out")
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(lock(self.path, f"another run is writing {self.path}; wait, or give another --out"))
                self._new = not self.path.exists()
                self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            except OSError as error:
                raise UsageError(f"the output {self.path} cannot be written: {error.strerror}") from error
            held.callback(lambda: os.close(self._file))
            self.rows, self._end = read_rows(self.path)
            self._until_closed = held.pop_all()

    def begin(self, fresh: bool = False) -> None:
        """Take away a last line that was cut off; `fresh` takes away all. Raises OSError."""
        if fresh:
            self.rows, self._end = {}, 0
        os.ftruncate(self._file, self._end)

    def append(self, line: Mapping[str, Any]) -> None:
        """Write one line, which another process can read at once. Raises BrokenOff if it cannot be written."""
        data = _encode(line)
        try:
            _write_all(self._file, data)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise BrokenOff(f"{self.path} cannot be written: {error.strerror}; run the same again to go on") from error
        row = KeptRow.of(line, self._end, len(data))
        self.rows[row.id] = row
        self._end += len(data)
        self.require_in_place()

    def require_in_place(self) -> None:
        """Raise BrokenOff if what is written no longer lies where it was asked for: others took it away."""
        mine, there = os.fstat(self._file), None
        with contextlib.suppress(FileNotFoundError):
            there = self.path.stat()
        if there is None or (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino):
            lost = f"{self.path} was {'removed' if there is None else 'replaced'} while it was written"
            raise BrokenOff(f"{lost}, and {len(self.rows)} answers with it; run the same again to answer them anew")

    def keep(self, ids: Iterable[str]) -> None:
        """Rewrite the file with the rows of these ids in this order, all at once; others are gone. Raises BrokenOff."""
        self.require_in_place()
        wanted = [self.rows[id] for id in ids]
        if [row.id for row in wanted] == list(self.rows):
            return
        try:
            with replace_file(self.path) as partial, partial.open("wb") as new:
                new.writelines(os.pread(self._file, row.length, row.start) for row in wanted)
        except OSError as error:
            wrong = f"{self.path} cannot be rewritten: {error.strerror}; it is as it was"
            raise BrokenOff(f"{wrong}; run the same again to go on") from error
        os.close(self._file)
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND)
        self.rows, self._end = read_rows(self.path)

    def close(self) -> None:
        """Let others at the file; one that was made here and stayed empty is taken away."""
        with self._until_closed, contextlib.suppress(OSError):
            if self._new and not self.rows:
                self.path.unlink(missing_ok=True)
            else:
                os.fsync(self._file)


def read_rows(path: Path) -> tuple[dict[str, KeptRow], int]:
    """The rows by id in the file's order, and how many bytes of it are whole lines.

    A last line that was cut off is left out. Raises UsageError naming the line that is none of ours.
    """
    found: dict[str, KeptRow] = {}
    end = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n") and _is_torn(line):
                break
            row = _parse(line, end)
            if row is None or row.id in found:
                wrong = f": the id {row.id!r} is there twice" if row else " was not written by `scribe answer`"
                raise UsageError(f"{path}:{number}{wrong}; delete the file, or give another --out")
            found[row.id] = row
            end += len(line)
    return found, end


def _parse(line: bytes, start: int) -> KeptRow | None:
    try:
        return KeptRow.of(json.loads(line), start, len(line))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_torn(line: bytes) -> bool:
    """Whether this can be the beginning of a line of ours, and not somebody else's whole file.

    Some file systems leave zeros where a crash kept the data from being written.
    """
    begun = line.rstrip(b"\0")
    if not _HEAD.startswith(begun[: len(_HEAD)]):
        return False
    try:
        json.loads(begun)
    except ValueError:
        return True
    return not begun or _parse(begun, 0) is not None


def _encode(line: Mapping[str, Any]) -> bytes:
    """One line for every reader: characters at which only some break lines are escaped.

    A lone surrogate, which an API can send, is nothing that UTF-8 can say, and becomes a question mark.
    """
    return json.dumps(line, ensure_ascii=False).translate(_BREAKS).encode("utf-8", "replace") + b"\n"


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def write_batch_manifest(output: Output, head: Mapping[str, Any], runs: list[dict[str, Any]], wanted: int) -> None:
    """Write it as of now, without passwords in addresses. Raises BrokenOff.

    head: what does not change in it. runs: all that wrote to the output, this one last. wanted: rows of the input.
    """
    kept = output.rows.values()
    counts = Counter(row.status for row in kept)
    by_status = {status: counts[status] for status in STATUSES}
    content = {
        **head,
        "counts": {"rows": wanted, **by_status, "left": wanted - len(kept)},
        "usage": asdict(sum((row.usage for row in kept), Usage())),
        "started": runs[0]["started"],
        "ended": runs[-1]["ended"],
        "seconds": round(sum(run["seconds"] for run in runs), 3),
        "runs": runs,
    }
    try:
        write_manifest(output.path, json.loads(_CREDENTIALS.sub("", json.dumps(content))))
    except OSError as error:
        raise BrokenOff(f"the manifest of {output.path} cannot be written: {error.strerror}") from error


def read_earlier(out: Path) -> dict[str, Any]:
    """The manifest that is there, or nothing: a lost one costs no answer."""
    content = read_manifest(out)
    # Whoever reads this holds the output's lock, so a run that seems to go on was killed.
    for run in content.get("runs", []):
        run["state"] = "killed" if run["state"] == "running" else run["state"]
    return content
