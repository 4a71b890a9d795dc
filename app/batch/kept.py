"""Lines that an earlier run left in the output: what is known of each, and where the last whole one ends."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scribe.errors import UsageError
from scribe.trajectory import Usage

_HEAD = b'{"id": "'
"""How each of our lines begins, in either form."""
_REMEDY = "delete the file, or give another --out"
_SHARED = ("id", "status", "fingerprint")


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished row as it lies in the file: at which byte it starts, and its length with the line break."""

    id: str
    status: str
    fingerprint: Mapping[str, str]
    usage: Usage
    openai: bool
    start: int
    length: int


def of(line: Mapping[str, Any], start: int, length: int) -> Kept:
    """What is known of a line that was written or read. Raises KeyError or TypeError if it is none of ours."""
    openai = "custom_id" in line
    own = line["scribe"] if openai else line
    id, status, fingerprint = (own[name] for name in _SHARED)
    usage = Usage(**own["usage"])
    if not all(isinstance(value, int | float) for value in asdict(usage).values()):
        raise TypeError("usage holds something that is no number")
    return Kept(str(id), str(status), dict(fingerprint), usage, openai, start, length)


def read(lines: Iterable[bytes], path: Path) -> tuple[dict[str, Kept], int]:
    """The rows by id in the file's order, and how many bytes of it are whole lines.

    A last line that was cut off is left out. Raises UsageError naming the line that is none of ours.
    """
    found: dict[str, Kept] = {}
    end = 0
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"\n") and _torn(line):
            break
        kept = _parsed(line, end)
        if kept is None:
            raise UsageError(f"{path}:{number} was not written by `scribe answer`; {_REMEDY}")
        if kept.id in found:
            raise UsageError(f"{path}:{number}: the id {kept.id!r} is there twice; {_REMEDY}")
        found[kept.id] = kept
        end += len(line)
    return found, end


def _parsed(line: bytes, start: int) -> Kept | None:
    try:
        return of(json.loads(line), start, len(line))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _torn(line: bytes) -> bool:
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
    return not begun or _parsed(begun, 0) is not None
