"""What a bundle is built from, besides the course's own folder."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from data.course import BundleError

LogFormat = Literal["edx", "moodle", "parquet"]
FORMATS: dict[LogFormat, str] = {
    "edx": r".*\.(json|jsonl|ndjson)(\.gz)?|.*\.log.*",  # edX names its logs tracking.log-20260914.gz
    "moodle": r".*\.csv(\.gz)?",
    "parquet": r".*\.parquet",
}
"""How the names of their files look."""


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """An earlier run of the course whose outcomes are known; its logs are in the format of the current ones.

    It followed the course's schedule, moved to `start`, the Monday of its week 1; None: 52 weeks earlier.
    """

    events: Sequence[Path]
    outcomes: Path
    start: date | None = None


@dataclass(frozen=True, slots=True)
class BuildSources:
    """The logs and grades of the current run, and the earlier run that the predictor learns from.

    timezone: of the times in a log that carry no offset (Moodle's); None: the schedule's.
    """

    events: Sequence[Path]
    grades: Path
    past: EarlierRun
    format: LogFormat
    timezone: str | None = None

    def check(self) -> None:
        """Raises BundleError naming every file that is not there or is named twice, before any is read."""
        files = (*self.events, self.grades, *self.past.events, self.past.outcomes)
        if missing := [str(path) for path in files if not path.is_file()]:
            raise BundleError(f"there is no such file: {', '.join(missing)}")
        if twice := [str(path) for path in files if sum(path.samefile(other) for other in files) > 1]:
            raise BundleError(f"one file cannot be two of the sources: {', '.join(twice)}")


def guess_format(paths: Sequence[Path]) -> LogFormat:
    """The format that all the files' names say they have; raises BundleError if they do not say one."""
    for form, pattern in FORMATS.items():
        if paths and all(re.fullmatch(pattern, path.name.casefold()) for path in paths):
            return form
    names = ", ".join(path.name for path in paths[:3]) or "no file"
    known = ".log, .json, .jsonl, .ndjson, .csv, .parquet, also with .gz"
    raise BundleError(f"{names}: the names do not tell one format of log; say which of {', '.join(FORMATS)} ({known})")
