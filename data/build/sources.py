"""What a bundle is built from, how long each step takes, and how many bad lines and rows are skipped."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from data.course import BundleError
from data.events.schema import TooManyErrors
from scribe.plumbing.progress import OnCount, OnProgress, ignore_progress


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """A run whose outcomes are known, on the same schedule moved to the Monday `start`; None: 52 weeks earlier."""

    events: Sequence[Path]
    outcomes: Path
    start: date | None = None


@dataclass(frozen=True, slots=True)
class BuildSources:
    """What is learned from and told of; `timezone` is of times without an offset (Moodle's), None: the schedule's.

    format: a key of `data.events.formats.FORMATS`.
    """

    events: Sequence[Path]
    grades: Path
    past: EarlierRun
    format: str
    timezone: str | None = None

    def check(self) -> None:
        """Raises BundleError naming every file that is not there or is named twice, before any is read."""
        files = (*self.events, self.grades, *self.past.events, self.past.outcomes)
        if missing := [str(path) for path in files if not path.is_file()]:
            raise BundleError(f"there is no such file: {', '.join(missing)}")
        if twice := [str(path) for path in files if sum(path.samefile(other) for other in files) > 1]:
            raise BundleError(f"one file cannot be two of the sources: {', '.join(twice)}")


LOG_LINES = 100  # Malformed lines of the logs that are skipped when nobody says how many: any large log has a few


@dataclass(slots=True)
class BuildSteps:
    """Names the steps to whoever listens, and keeps their seconds."""

    on_progress: OnProgress = ignore_progress
    seconds: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[OnCount]:
        """One step; what it yields is to be called with how much is done."""
        began = time.perf_counter()
        self.on_progress(name, 0, 0)
        yield lambda done, total: self.on_progress(name, done, total)
        self.seconds[name] = time.perf_counter() - began


@dataclass(slots=True)
class Tolerance:
    """What has been skipped so far, and how much more may be: a lost grade is told to a student, a click hardly."""

    allowed: int | None = None  # bad lines and rows together; None: LOG_LINES of the logs and no row of a table
    log_lines: int = 0
    rows: int = 0
    skipped: list[str] = field(default_factory=list)

    @property
    def left_for_logs(self) -> int:
        """How many more lines of a log may be malformed."""
        if self.allowed is None:
            return LOG_LINES - self.log_lines
        return self.allowed - self.log_lines - self.rows

    @property
    def left_for_rows(self) -> int:
        """How many more rows of a table may be bad."""
        return 0 if self.allowed is None else self.allowed - self.log_lines - self.rows

    def skip_lines(self, count: int, problems: Sequence[str]) -> None:
        """Note malformed lines of a log, which its reader has held against `left_for_logs`."""
        self.log_lines += count
        self.skipped += problems

    def skip_rows(self, path: Path, problems: Sequence[tuple[int, str]]) -> None:
        """Note all bad rows (line, reason) of a table; raises TooManyErrors if they may not be skipped."""
        located = [f"{path}:{line}: {reason}" for line, reason in problems]
        if len(located) > self.left_for_rows:
            count = f"{len(located)} bad {'row' if len(located) == 1 else 'rows'}"
            raise TooManyErrors(count, self.left_for_rows, located)
        self.rows += len(located)
        self.skipped += located
