"""What a build writes: the tables of the students, their reports, and quality.json."""

import dataclasses
import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from data.build.learning import LearningConfig
from data.build.staging import QUALITY, REPORTS
from data.bundle_cohort import BEHAVIOUR, GRADES, IMPORTANCE, PREDICTIONS, SUFFICIENT, THEORIES
from data.bundle_files import ParquetTable
from data.course import BundleError, Course, Student
from data.events.reading import LogCounts
from data.predictor.quality import Quality
from data.reports.claims import find_false_claims
from data.reports.compose import write_report
from scribe.plumbing.progress import OnCount
from scribe.plumbing.threads import map_in_threads

PACKAGES = ("numpy", "polars", "pyarrow", "torch")


WriteReport = Callable[[Course, Student, str], tuple[str, str]]
"""Writes the report of one student by one theory: its text, and what wrote it, "composed" by our sentences or "llm"."""


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """What is kept of a build; no time and no path, so that the same build writes the same bytes."""

    course: str
    weeks: int
    learning: LearningConfig
    features: tuple[str, ...]
    quality: Quality
    students: int
    predicted_to_pass: int
    explained: int
    logs: Mapping[str, LogCounts]
    skipped_rows: int
    reports: Mapping[str, int]

    def as_json(self) -> dict[str, Any]:
        """Plain values: at the top the cross-validated models (see `Quality.as_json`), then what they were used for."""
        return {
            "course": self.course,
            **self.quality.as_json(),
            "weeks": self.weeks,
            "learning": asdict(self.learning),
            "features": list(self.features),
            "current": {
                "students": self.students,
                "predicted_to_pass": self.predicted_to_pass,
                "explained": self.explained,
                "reports": dict(self.reports),
            },
            "logs": {run: asdict(counts) for run, counts in self.logs.items()},
            "skipped_rows": self.skipped_rows,
            "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        }


def write_record(folder: Path, record: BuildRecord) -> None:
    """Write quality.json."""
    text = json.dumps(record.as_json(), indent=1, ensure_ascii=False)
    (folder / QUALITY).write_text(f"{text}\n", encoding="utf-8")


def compose_report(course: Course, student: Student, theory: str) -> tuple[str, str]:
    """A report from our own sentences."""
    return write_report(course, student, theory), "composed"


def write_reports(folder: Path, course: Course, write: WriteReport, threads: int, on_count: OnCount) -> Counter[str]:
    """Write all reports, `threads` at once; returns what each source wrote; raises BundleError for a false claim."""
    (folder / REPORTS).mkdir()
    written = Counter[str]()
    wanted = [(student, theory) for student in course.students.values() for theory in THEORIES]
    drafts = map_in_threads(lambda each: write(course, *each), wanted, threads)
    for (student, theory), (text, source) in zip(wanted, drafts, strict=True):
        name = f"{student.id}.{theory}.md"
        if wrong := find_false_claims(text, student, course):
            raise BundleError(f"{REPORTS}/{name}: says what the data does not: {'; '.join(wrong)}")
        (folder / REPORTS / name).write_text(text, encoding="utf-8")
        written[source] += 1
        on_count(written.total(), len(wanted))
    return written


def write_tables(folder: Path, course: Course, features: Sequence[str]) -> None:
    """Write the five tables of the course's students, with a row for each of `features` in each past week."""
    students = tuple(course.students.values())
    cells = [(week, feature) for week in range(1, course.weeks_done + 1) for feature in features]
    _write_table(folder, PREDICTIONS, ((one.id, one.predicted, one.probability, one.explained) for one in students))
    values = ((one.id, week, name, one.features.get((name, week))) for one in students for week, name in cells)
    _write_table(folder, BEHAVIOUR, values)
    _write_table(folder, IMPORTANCE, _rows_of(students, "importances"))
    _write_table(folder, SUFFICIENT, _rows_of(students, "sufficient"))
    _write_table(folder, GRADES, _rows_of(students, "grades"))


def _rows_of(students: Iterable[Student], what: str) -> Iterable[tuple[object, ...]]:
    """A row for each entry of the students' importances, grades and so on, whose fields are the columns."""
    return ((one.id, *dataclasses.astuple(each)) for one in students for each in getattr(one, what))


def _write_table(folder: Path, table: ParquetTable, rows: Iterable[Sequence[object]]) -> None:
    """Write rows, their values in the order of the table's columns."""
    pl.DataFrame(list(rows), table.columns, orient="row").write_parquet(folder / table.name)
