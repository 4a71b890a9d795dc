"""Where judgements are kept: the cache, an SQLite file, and the output, JSON lines replaced whole or not at all."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from eval.judge.judgement import Judgement, parse_judgement, read_judgements, to_json
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.files import lock, replace_file

_TABLE = "CREATE TABLE IF NOT EXISTS judgements (fingerprint TEXT PRIMARY KEY, judge TEXT, verdict TEXT, line TEXT)"

WriteJudgements = Callable[[Iterable[Judgement]], None]


class Store:
    """An open file of judgements by what was judged and how: what is there is never asked again.

    A judgement is there as soon as `put` returns, and stays if the process is killed right after. One thread uses it.
    All raise UsageError if the file cannot be used.
    """

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
        found = self._execute("SELECT line FROM judgements WHERE fingerprint = ?", (fingerprint,)).fetchone()
        return parse_judgement(found[0], f"{self.path}: {fingerprint}") if found else None

    def put(self, judgement: Judgement) -> None:
        """Keep a judgement; an earlier one with the same fingerprint stays unless it could not be read."""
        self._execute(
            "INSERT INTO judgements VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE SET "
            "verdict = excluded.verdict, line = excluded.line WHERE judgements.verdict = 'unparsed'",
            (judgement.fingerprint, judgement.judge, judgement.verdict, to_json(judgement)),
        )

    def known(self, fingerprints: Iterable[str], but_unparsed: bool = False) -> set[str]:
        """Which of these are there; those that could not be read are left out if `but_unparsed`."""
        question = "SELECT verdict FROM judgements WHERE fingerprint = ?"
        found = ((each, self._execute(question, (each,)).fetchone()) for each in fingerprints)
        return {each for each, row in found if row and not (but_unparsed and row[0] == "unparsed")}

    def _execute(self, question: str, values: tuple[str, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._file.execute(question, values)
        except sqlite3.Error as error:  # a full disk, a broken file, somebody who holds it for too long
            raise UsageError(f"the cache {self.path} failed ({error}); what it has is kept: run it again") from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@contextlib.contextmanager
def claim_output(path: Path) -> Iterator[WriteJudgements]:
    """Hold a file until the end of the block, and yield what writes it anew.

    What was there stays until then. Raises UsageError if it is in use, cannot be written or holds something else.
    """
    _refuse_foreign_output(path)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(lock(path, f"another run is writing {path}; wait for it, or give another --out"))
        except OSError as error:
            raise UsageError(f"the output {path} cannot be written: {error.strerror}") from error
        yield lambda judgements: _write(path, judgements)


def _write(path: Path, judgements: Iterable[Judgement]) -> None:
    with replace_file(path) as partial, partial.open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(to_json(each) + "\n" for each in judgements)


def _refuse_foreign_output(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise UsageError(f"the output {path} is no file; give another --out")
    try:
        next(read_judgements(path) if path.exists() else iter(()), None)
    except RecordError as error:
        raise UsageError(f"{path} holds something else than judgements; give another --out ({error})") from error
