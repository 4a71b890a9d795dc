"""The formats of event logs, in the one table where a new one is entered."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from data.events import edx, moodle
from data.events.schema import EventBatch, EventsError

ReadBatches = Callable[[Iterator[pl.DataFrame], Path, str], Iterator[EventBatch]]
"""Sorts the blocks of lines of a file (`lines.read_blocks`); with them, the file and the zone of times without one."""
OWN = "parquet"
"""Our own form (`schema`), which needs no sorting."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """How the names of a format's files look (a pattern for small letters), and what reads their text."""

    names: str
    read: ReadBatches | None


FORMATS: Mapping[str, LogFormat] = {
    # edX names its logs tracking.log-20260914.gz
    "edx": LogFormat(r".*\.(json|jsonl|ndjson)(\.gz)?|.*\.log.*", edx.read_batches),
    "moodle": LogFormat(r".*\.csv(\.gz)?", moodle.read_batches),
    OWN: LogFormat(r".*\.parquet", None),
}
"""By the name that `--source` gives; the first whose pattern fits all files is guessed."""


def guess_format(paths: Sequence[Path]) -> str:
    """The format that all the files' names say they have; raises EventsError if they do not say one."""
    for name, form in FORMATS.items():
        if paths and all(re.fullmatch(form.names, path.name.casefold()) for path in paths):
            return name
    names = ", ".join(path.name for path in paths[:3]) or "no file"
    known = ".log, .json, .jsonl, .ndjson, .csv, .parquet, also with .gz"
    raise EventsError(f"{names}: the names do not tell one format of log; say which of {', '.join(FORMATS)} ({known})")
