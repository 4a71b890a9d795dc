"""The names of all that is fuzzed, and the properties of what is read from files."""

import contextlib
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from data import bundle
from data.build.enrolment import read_grades, read_outcomes
from data.build.sources import Tolerance
from data.course import BrokenBundle, BundleError, Course
from data.events.reading import read_events
from scribe.plumbing.errors import ScribeError
from scribe.tutor.records import load_session
from scribe.tutor.solution_guard import SolutionGuard
from tests.data.mini_bundle import write_mini
from tests.fuzz import properties
from tests.scribe.grounding.room import REPORT, complaints
from tools.assembly.crisis import answer_to
from tools.search.text import split_passages, strip_markdown

PARTS = ("course.toml", "topics.toml", "syllabus.md", "textbook/01.md", "exercises.jsonl", "reports/s001.nr.md")
TABLES = ("students.parquet", "grades.parquet", "predictions.parquet", "importance.parquet")


@cache
def _open_bundle() -> tuple[Path, Course]:
    folder = write_mini(Path(tempfile.mkdtemp(prefix="scribe-fuzz-")) / "mini")
    return folder, bundle.load(folder)


def check_bundles(text: str) -> None:
    """A course with any text as any of its files is a course, or has problems that are named."""
    folder, _ = _open_bundle()
    for name in PARTS:
        with Replaced(folder / name, text.encode("utf-8", "replace")):
            _check_bundle(folder)


def check_tables(text: str) -> None:
    """The same of its tables: bytes that are none, and columns of anything."""
    folder, _ = _open_bundle()
    for name in TABLES:
        whole = (folder / name).read_bytes()
        with Replaced(folder / name, whole[: len(text)] + text.encode("utf-8", "replace") + whole[len(text) :]):
            _check_bundle(folder)
        table = pq.read_table(folder / name)
        column = table.column_names[len(text) % table.num_columns]
        with Replaced(folder / name, b""):
            changed = table.set_column(table.column_names.index(column), column, pa.array([text] * table.num_rows))
            pq.write_table(changed, folder / name)
            _check_bundle(folder)


def check_files(text: str) -> None:
    """Logs, grades, outcomes and sessions of any text are read or refused with a reason."""
    folder, course = _open_bundle()
    path = folder.parent / "given"
    path.write_text(text, encoding="utf-8", errors="replace")
    readers: tuple[Callable[[], object], ...] = (
        lambda: read_events([path], folder.parent / "events.parquet", "edx"),
        lambda: read_events([path], folder.parent / "events.parquet", "moodle", "Europe/Zurich"),
        lambda: read_grades(path, course, Tolerance(0)),
        lambda: read_outcomes(path, Tolerance(0)),
        lambda: load_session(path),
    )
    for read in readers:
        with contextlib.suppress(ScribeError):
            read()


def check_answers(text: str) -> None:
    """The checks before an answer say something of any answer, report and earlier turn, and so do the guards."""
    assert all(isinstance(each, str) for each in complaints(text))
    complaints("In week 2 it was 30 minutes.", report=text)
    complaints(text, report=REPORT + text)
    for language in ("English", "French"):
        answer_to(text, language)
    guard = SolutionGuard(("    total = 0\n    for each in xs:\n        total += each\n",), "def f(xs): return 1")
    guard.find_leaks(text, text)
    guard.redact(text)
    strip_markdown(text)
    split_passages("A title", text)


def _check_bundle(folder: Path) -> None:
    try:
        bundle.load(folder)
    except BrokenBundle as error:
        assert error.problems
        str(error).encode("utf-8")
    except BundleError as error:
        raise AssertionError(error) from error


class Replaced(contextlib.AbstractContextManager[None]):
    """A file with other bytes for a while."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path, self._before, self._data = path, path.read_bytes(), data

    def __enter__(self) -> None:
        self._path.write_bytes(self._data)

    def __exit__(self, *_: object) -> None:
        self._path.write_bytes(self._before)


TARGETS: Mapping[str, Callable[[str], None]] = {
    "dialects": properties.check_dialects,
    "records": properties.check_records,
    "markers": properties.check_markers,
    "turns": properties.check_turns,
    "verdicts": properties.check_verdicts,
    "html": properties.check_html,
    "logs": properties.check_logs,
    "events": properties.check_events,
    "bundles": check_bundles,
    "tables": check_tables,
    "files": check_files,
    "answers": check_answers,
}
"""By the name that `python -m tests.fuzz` takes."""
