"""The file of judgements: nobody else writes it meanwhile, and it is replaced whole or not at all."""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from eval.judge import judgement
from eval.judge.judgement import Judgement
from scribe.errors import RecordError, UsageError

Write = Callable[[Iterable[Judgement]], None]


@contextlib.contextmanager
def claimed(path: Path) -> Iterator[Write]:
    """A file that is ours until the end of the block, and what writes it anew.

    What was there stays until then. Raises UsageError if it is in use, cannot be written or holds something else.
    """
    _refuse_foreign(path)
    partial = path.with_name(f"{path.name}.partial")
    lock = _locked(partial, path)
    try:
        yield lambda judgements: _write(path, judgements)
    finally:
        partial.unlink(missing_ok=True)  # before the lock is gone, so that nobody else's is taken away
        os.close(lock)


def _write(path: Path, judgements: Iterable[Judgement]) -> None:
    """Write beside, then put in place; the lock is on yet another file."""
    whole = path.with_name(f"{path.name}.whole")
    with whole.open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(judgement.to_json(each) + "\n" for each in judgements)
        file.flush()
        os.fsync(file.fileno())
    whole.replace(path)


def _refuse_foreign(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise UsageError(f"the output {path} is no file; give another --out")
    if path.exists() and path.stat().st_size:
        try:
            next(judgement.read_judgements(path), None)
        except RecordError as error:
            raise UsageError(f"{path} holds something else than judgements; give another --out ({error})") from error


def _locked(partial: Path, path: Path) -> int:
    while True:
        try:
            file = os.open(partial, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise UsageError(f"the output {path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between opening and locking, who had it may have taken it away.
            if os.path.samestat(os.fstat(file), partial.stat()):
                return file
        except FileNotFoundError:
            pass
        except OSError as error:
            os.close(file)
            raise UsageError(f"another run is writing {path}; wait for it, or give another --out") from error
        os.close(file)
