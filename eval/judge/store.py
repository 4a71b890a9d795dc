"""Judgements by what was judged and how, in one SQLite file: what is there is never asked again.

A judgement is there as soon as `put` returns, and stays if the process is killed right after.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from eval.judge import judgement
from eval.judge.judgement import Judgement
from scribe.errors import UsageError

_TABLE = "CREATE TABLE IF NOT EXISTS judgements (fingerprint TEXT PRIMARY KEY, judge TEXT, verdict TEXT, line TEXT)"
_MEAN = "SELECT avg(json_extract(line, '$.completion_tokens')), count(*) FROM judgements WHERE judge = ?"


class Store:
    """An open file of judgements, to be used by one thread. All raise UsageError if it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=30.0, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"the cache {path} cannot be used ({error}); give another --cache") from error

    def get(self, fingerprint: str) -> Judgement | None:
        """The judgement with this fingerprint, if there is one."""
        found = self._asked("SELECT line FROM judgements WHERE fingerprint = ?", (fingerprint,)).fetchone()
        return judgement.judgement(found[0], f"{self.path}: {fingerprint}") if found else None

    def put(self, made: Judgement) -> None:
        """Keep a judgement; an earlier one with the same fingerprint stays unless it could not be read."""
        row = (made.fingerprint, made.judge, made.verdict, judgement.to_json(made))
        self._asked(
            "INSERT INTO judgements VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE SET "
            "verdict = excluded.verdict, line = excluded.line WHERE judgements.verdict = 'unparsed'",
            row,
        )

    def known(self, fingerprints: Iterable[str], but_unparsed: bool = False) -> set[str]:
        """Which of these are there; those that could not be read are left out if `but_unparsed`."""
        question = "SELECT verdict FROM judgements WHERE fingerprint = ?"
        found = ((each, self._asked(question, (each,)).fetchone()) for each in fingerprints)
        return {each for each, row in found if row and not (but_unparsed and row[0] == "unparsed")}

    def all(self) -> Iterator[Judgement]:
        """Every judgement that is there."""
        for (line,) in self._asked("SELECT line FROM judgements"):
            yield judgement.judgement(line, str(self.path))

    def mean_completion(self, judge: str) -> float | None:
        """Tokens that this judge wrote for a judgement on average, or None if it never did."""
        mean, count = self._asked(_MEAN, (judge,)).fetchone()
        return float(mean) if count else None

    def _asked(self, question: str, values: tuple[str, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._file.execute(question, values)
        except sqlite3.Error as error:  # a full disk, a broken file, somebody who holds it for too long
            raise UsageError(f"the cache {self.path} failed ({error}); what it has is kept: run it again") from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
