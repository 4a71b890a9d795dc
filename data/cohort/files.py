"""The files that a cohort leaves: events, grades and outcomes, each whole or not at all."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from data.cohort.simulate import Cohort
from data.course import Course


def write_events(path: Path, events: pl.DataFrame) -> None:
    """Parquet in our own form (`data.events.schema`). Raises OSError; so do the others."""
    with _whole(path) as part:
        events.write_parquet(part, compression="zstd")


def write_grades(path: Path, cohort: Cohort, course: Course) -> None:
    """student, item, score: the items of the weeks that are done; an empty score was not handed in."""
    done = [item.id for item in course.grading if item.week <= course.weeks_done]
    rows = ((student, item, _said(scores[item])) for student, scores in cohort.scores.items() for item in done)
    _write_rows(path, ("student", "item", "score"), rows)


def write_outcomes(path: Path, cohort: Cohort) -> None:
    """student, outcome: pass or fail."""
    rows = ((student, "pass" if passed else "fail") for student, passed in cohort.passed.items())
    _write_rows(path, ("student", "outcome"), rows)


def _said(score: float | None) -> str:
    return "" if score is None else f"{score:g}"


def _write_rows(path: Path, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with _whole(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A file to write to that takes its place at the end, or is gone if that is not reached."""
    part = path.with_name(path.name + ".part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
