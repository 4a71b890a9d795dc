"""The students of a course: predictions, behaviour, importances, grades and reports."""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import polars as pl

from data.bundle_files import Fault, Location, ParquetTable, note_faults, read_table, read_text
from data.catalogue import UnknownFeature, load_catalogue
from data.course import Course, Grade, GradedItem, Importance, Student, Sufficient

T = TypeVar("T")

THEORIES = ("nr", "ac", "con")
LONGEST_REPORT = 8_000
"""Characters: half of the smallest context that is set. Ours have 200 words."""

_TEXT, _WHOLE, _NUMBER = pl.String(), pl.Int64(), pl.Float64()
_CELL = {"student": _TEXT, "week": _WHOLE, "feature": _TEXT}
PREDICTIONS = ParquetTable(
    "predictions.parquet", {"student": _TEXT, "predicted": _TEXT, "probability": _NUMBER, "explained": pl.Boolean()}
)
BEHAVIOUR = ParquetTable("students.parquet", _CELL | {"value": _NUMBER}, nullable="value")
IMPORTANCE = ParquetTable(
    "importance.parquet", _CELL | {"importance": _NUMBER, "direction": _TEXT, "flips_to": _TEXT, "target": _NUMBER}
)
SUFFICIENT = ParquetTable("sufficient.parquet", _CELL)
GRADES = ParquetTable(
    "grades.parquet",
    {"student": _TEXT, "item": _TEXT, "score": _NUMBER, "max": _NUMBER, "weight": _NUMBER},
    nullable="score",
)
TABLES = (PREDICTIONS, BEHAVIOUR, IMPORTANCE, SUFFICIENT, GRADES)


def read_students(folder: Path, course: Course, bundle: Location) -> Mapping[str, Student]:
    """All students by id, in the order of predictions.parquet; none where a table cannot be read at all."""
    tables = {table: rows for table in TABLES if (rows := read_table(folder, table, bundle)) is not None}
    if len(tables) < len(TABLES):
        return {}
    predicted = tables[PREDICTIONS]
    for table, faults in _list_faults(course, predicted, tables[IMPORTANCE]).items():
        rows = tables[table]
        note_faults(_add_bounds(rows) if "feature" in table.columns else rows, faults, bundle.within(table.name))
    students = predicted["student"].to_list()
    bundle.within(PREDICTIONS.name).require(bool(students), "lists no student")
    reports = _read_reports(folder, set(students), bundle)
    for student in sorted(set(students) - set(tables[BEHAVIOUR]["student"])):
        bundle.within(BEHAVIOUR.name).note(f"has no row for student {student!r}")
    features = defaultdict[str, dict[tuple[str, int], float]](dict)
    for student, week, feature, value in tables[BEHAVIOUR].drop("row").drop_nulls().iter_rows():
        features[student][sys.intern(feature), week] = value
    importances, sufficient = _group(tables[IMPORTANCE], Importance), _group(tables[SUFFICIENT], Sufficient)
    grades = _group(tables[GRADES], Grade)
    return MappingProxyType(
        {
            student: Student(
                id=student,
                features=MappingProxyType(features[student]),
                importances=tuple(sorted(importances[student], key=lambda each: -each.importance)),
                grades=tuple(grades[student]),
                reports=MappingProxyType(reports[student]),
                predicted=outcome,
                probability=probability,
                sufficient=tuple(sufficient[student]),
            )
            for _, student, outcome, probability, _ in predicted.iter_rows()
        }
    )


def _group(rows: pl.DataFrame, kind: Callable[..., T]) -> defaultdict[str, list[T]]:
    """The rows of each student, as instances of a class that has the other columns as fields."""
    grouped = defaultdict[str, list[T]](list)
    for student, *values in rows.drop("row").iter_rows():
        grouped[student].append(kind(*values))
    return grouped


def _read_reports(folder: Path, students: set[str], bundle: Location) -> defaultdict[str, dict[str, str]]:
    reports, owners = defaultdict[str, dict[str, str]](dict), dict[tuple[int, int], str]()
    for path in sorted((folder / "reports").glob("[!.]*")):
        place = bundle.within(f"reports/{path.name}")
        student, _, theory = path.name.removesuffix(".md").rpartition(".")
        if path.suffix != ".md" or not student or theory not in THEORIES:
            place.note(f"must be named <student>.<theory>.md with a theory of {', '.join(THEORIES)}")
            continue
        place.require(student in students, f"student {student!r} is not in {PREDICTIONS.name}")
        if not _is_own_file(path, place, owners):
            continue
        text = read_text(folder, place)
        if text is not None and place.require(bool(text.strip()), "is empty"):
            long = f"has {len(text)} characters; a model has room for a report of at most {LONGEST_REPORT}"
            place.require(len(text) <= LONGEST_REPORT, long)
            reports[student][theory] = text.strip()
    return reports


def _is_own_file(path: Path, place: Location, owners: dict[tuple[int, int], str]) -> bool:
    """Whether a report is a file of its own: through a link somebody would read what is of another."""
    if not place.require(not path.is_symlink(), "is a link; a report must be a file of its own"):
        return False
    told = path.stat()
    owner = owners.setdefault((told.st_dev, told.st_ino), path.name)
    return place.require(owner == path.name, f"is the same file as {owner}; a report must be a file of its own")


def _list_faults(course: Course, predicted: pl.DataFrame, importance: pl.DataFrame) -> dict[ParquetTable, list[Fault]]:
    """What may be wrong with a row of each table; cells have the columns of `_add_bounds` too."""
    student, outcomes, graded = pl.col("student"), ["pass", "fail"], [item.id for item in course.grading]
    unknown = ~student.is_in(predicted["student"].to_list()), f"student {{student!r}} is not in {PREDICTIONS.name}"
    has, size = student.is_in(importance["student"].to_list()), pl.col("importance")
    already = student.replace_strict(
        dict(predicted.select("student", "predicted").iter_rows()), default=None, return_dtype=_TEXT
    )
    cell: list[Fault] = [
        unknown,
        (
            ~pl.struct("student", "week", "feature").is_first_distinct(),
            "student {student!r} has a second {feature} for week {week}",
        ),
        (pl.col("misnamed").is_not_null(), "{misnamed}"),
        (~pl.col("week").is_between(1, course.weeks_done), f"week must be 1 to {course.weeks_done}, not {{week}}"),
    ]
    return {
        PREDICTIONS: [
            (student.str.strip_chars() == "", "student is empty"),
            (~student.is_first_distinct(), "student {student!r} is listed twice"),
            (~pl.col("probability").is_between(0, 1), "probability must be 0 to 1, not {probability:g}"),
            (~pl.col("predicted").is_in(outcomes), "predicted must be pass or fail, not {predicted!r}"),
            (pl.col("explained") & ~has, f"student {{student!r}} is explained but has no row in {IMPORTANCE.name}"),
            (~pl.col("explained") & has, f"student {{student!r}} is not explained but has rows in {IMPORTANCE.name}"),
        ],
        BEHAVIOUR: [
            *cell,
            (pl.col("value").is_nan(), "value is NaN; write null for a missing value"),
            (_is_outside("value"), "{feature} must be {minimum:g} to {maximum:g}, not {value:g}"),
        ],
        IMPORTANCE: [
            *cell,
            (~((size > 0) & size.is_finite()), "importance must be above 0, not {importance:g}"),
            (
                ~pl.col("direction").is_in(["increase", "decrease"]),
                "direction must be increase or decrease, not {direction!r}",
            ),
            (~pl.col("flips_to").is_in(outcomes), "flips_to must be pass or fail, not {flips_to!r}"),
            (already == pl.col("flips_to"), "flips_to is {flips_to!r}, which is predicted already"),
            (
                pl.col("target").is_nan() | _is_outside("target"),
                "target must be {minimum:g} to {maximum:g}, not {target:g}",
            ),
        ],
        SUFFICIENT: cell,
        GRADES: [
            unknown,
            (~pl.struct("student", "item").is_first_distinct(), "student {student!r} has a second grade for {item!r}"),
            (~pl.col("item").is_in(graded), "course.toml grades no {item!r}"),
            (~pl.col("score").is_between(0, pl.col("max")), "score must be 0 to {max:g}, not {score:g}"),
            *(fault for item in course.grading for fault in _compare_item(item)),
        ],
    }


def _is_outside(column: str) -> pl.Expr:
    return pl.col(column).is_not_nan() & ~pl.col(column).is_between("minimum", "maximum")


def _compare_item(item: GradedItem) -> list[Fault]:
    own = pl.col("item") == item.id
    share = (pl.col("weight") - item.weight).abs() > 1e-6
    return [
        (own & (pl.col("max") != item.max_points), f"max is {{max:g}}, but {item.max_points:g} in course.toml"),
        (own & share, f"weight is {{weight:g}}, but {item.weight:g} in course.toml"),
    ]


def _add_bounds(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with what is wrong with the feature's name (`misnamed`), else its bounds (`minimum`, `maximum`)."""
    catalogue, facts = load_catalogue(), list[tuple[str, str | None, float | None, float | None]]()
    for name in rows["feature"].unique().to_list():
        try:
            feature = catalogue.by_name(name)
        except UnknownFeature as error:
            facts.append((name, str(error), None, None))
        else:
            # Two spellings of one feature would otherwise become two features.
            wrong = None if feature.name == name else f"write {feature.name!r} instead of {name!r}"
            facts.append((name, wrong, feature.minimum, feature.maximum))
    columns = {"feature": _TEXT, "misnamed": _TEXT, "minimum": _NUMBER, "maximum": _NUMBER}
    return rows.join(pl.DataFrame(facts, columns, orient="row"), on="feature", how="left", maintain_order="left")
