"""What has been answered so far, on disk as it comes: a killed run loses nothing that it has paid for.

One JSON line for each outcome, under the fingerprint of all that it depends on. A row that has changed has another
fingerprint, so it is answered anew, and the others are not.
"""

import fcntl
import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from finetune.trajectories.outcome import Outcome
from scribe.errors import RecordError, UsageError

SYNC_SECONDS = 2.0
"""How much a power cut may cost; a killed process costs nothing that was written."""
_OUTCOME = TypeAdapter(Outcome)


def beside(out: Path) -> Path:
    """Where the journal of an output lies."""
    return out.with_name(f"{out.name}.journal")


class Journal:
    """Outcomes by fingerprint. Nobody else can write until it is closed.

    Raises UsageError if another run holds it, RecordError for a line that is none of its own.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._lines: dict[str, bytes] = {}
        self._synced = time.monotonic()
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._file, self._read())
        except BlockingIOError as error:
            os.close(self._file)
            raise UsageError(f"another run is writing {path}; wait for it, or give another --out") from error
        except BaseException:
            os.close(self._file)
            raise

    def __contains__(self, fingerprint: str) -> bool:
        return fingerprint in self._lines

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def get(self, fingerprint: str) -> Outcome:
        """What is kept under a fingerprint. Raises KeyError."""
        content: Mapping[str, Any] = json.loads(self._lines[fingerprint])
        return _OUTCOME.validate_python(content["outcome"])

    def put(self, fingerprint: str, outcome: Outcome) -> None:
        """Write an outcome, which stays from now on. Raises OSError."""
        content = {"fingerprint": fingerprint, "outcome": asdict(outcome)}
        # A lone surrogate, which an API can send, is nothing that UTF-8 can say, and becomes a question mark.
        line = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        rest = line
        while rest:
            rest = rest[os.write(self._file, rest) :]
        self._lines[fingerprint] = line
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            os.fsync(self._file)
            self._synced = time.monotonic()

    def _read(self) -> int:
        """Take in the lines; how many bytes of the file are whole ones. A last line that was cut off is none."""
        end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                try:
                    self._lines[json.loads(line)["fingerprint"]] = line
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    where = f"{self.path}:{number}"
                    raise RecordError(f"{where} is no line of a journal; delete the file to answer anew") from error
                end += len(line)
        return end
