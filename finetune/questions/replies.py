"""What a model has been asked and has said, one JSON line each: what is there is never asked, nor paid for, again."""

import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Said:
    """One reply. key: the sha256 of the request. model: what the endpoint says that it ran. seconds: wall time."""

    key: str
    text: str
    cut_off: bool
    model: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class Replies:
    """An open file of replies; threads may use it at once. A last line that was cut off by a kill is taken away.

    Raises UsageError for a file that is something else or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._said: dict[str, Said] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab+")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}; give another --out") from error
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), start=1):
            self._take(line, f"{path}:{number}")
        self._file.truncate(whole)

    def get(self, key: str) -> Said | None:
        """The reply to a request, if it was made before."""
        with self._lock:
            return self._said.get(key)

    def put(self, said: Said) -> None:
        """Keep a reply; it is in the file when this returns."""
        with self._lock:
            self._said[said.key] = said
            self._file.write(json.dumps(asdict(said), ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _take(self, line: bytes, where: str) -> None:
        try:
            content: Any = json.loads(line)
            said = Said(**content)
        except (ValueError, TypeError) as error:
            raise UsageError(f"{where}: no reply; move the file away, or give another --out") from error
        self._said[said.key] = said
