"""Shared prefixes on disk, so that the first answer after a restart need not read it again. Never a student's.

A file holds the token ids and their state, and begins with a line of JSON that says of what model and version it is
and what its content hashes to. A file that is damaged, or of something else, is left alone and read anew.
"""

import hashlib
import json
import logging
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from scribe.gguf.context import Ids
from scribe.gguf.kv_state import KvState, pack, unpack
from scribe.plumbing.files import PARTIAL, write_bytes

MOST_FILES = 16
"""Files in a folder; the oldest go first, since models and courses change."""
FORMAT = 1
STALE = 600.0
"""Seconds after which nobody is writing a partial file any more."""

log = logging.getLogger(__name__)


class PrefixFiles:
    """The files of one model in a folder. key: what identifies the model and what runs it, as in the files' names.

    A folder that cannot be read or written costs time, not answers: it is logged.
    """

    def __init__(self, folder: Path, key: Mapping[str, str]) -> None:
        self._folder = folder
        self._key = {**key, "format": str(FORMAT)}
        self._pending: list[tuple[Ids, list[KvState]]] = []
        self._lock = threading.Lock()

    def load(self) -> Iterator[tuple[Ids, KvState]]:
        """Ids (n,) and state of each text that was saved."""
        for path in sorted(self._folder.glob(f"{self._name()}-*.prefix")):
            try:
                yield self._read(path)
            except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:  # whatever JSON may be
                log.warning("%s is not used: %s", path, error)

    def note(self, ids: Ids, states: list[KvState]) -> None:
        """Note a text (n,) to be saved, with its states one behind the other; `flush` writes it. Costs no time."""
        with self._lock:
            self._pending.append((ids, states))

    def flush(self) -> None:
        """Write what was noted. Any thread may call it; the engine's own has better things to do."""
        if not self._pending:
            return
        with self._lock:
            pending, self._pending = self._pending, []
        try:
            for ids, states in pending:
                self._write(ids, states)
            self._tidy()
        except OSError as error:
            log.warning("prefixes cannot be saved in %s: %s", self._folder, error)

    def _name(self) -> str:
        return hashlib.sha256(json.dumps(self._key, sort_keys=True).encode()).hexdigest()[:16]

    def _read(self, path: Path) -> tuple[Ids, KvState]:
        with path.open("rb") as file:
            head = json.loads(file.readline())
            body = file.read()
        if head["key"] != self._key:
            raise ValueError("it is of another model or version")
        if hashlib.sha256(body).hexdigest() != head["sha256"]:
            raise ValueError("it is damaged")
        size = 4 * int(head["tokens"])
        ids = np.frombuffer(body[:size], dtype="<i4").astype(np.int32)
        return ids, unpack(np.frombuffer(body, np.uint8, offset=size))

    def _write(self, ids: Ids, states: list[KvState]) -> None:
        """The file appears whole or not at all."""
        tokens = ids.astype("<i4").tobytes()
        body = tokens + pack(states, 1).tobytes()
        head = {"key": self._key, "tokens": len(ids), "sha256": hashlib.sha256(body).hexdigest()}
        path = self._folder / f"{self._name()}-{hashlib.sha256(tokens).hexdigest()[:16]}.prefix"
        write_bytes(path, json.dumps(head).encode() + b"\n" + body)

    def _tidy(self) -> None:
        """Let the oldest go, and what a killed write left behind."""
        for path in self._folder.glob(f".*{PARTIAL}"):
            if time.time() - path.stat().st_mtime > STALE:
                path.unlink(missing_ok=True)
        files = sorted(self._folder.glob("*.prefix"), key=lambda path: path.stat().st_mtime)
        for path in files[:-MOST_FILES]:
            path.unlink(missing_ok=True)
