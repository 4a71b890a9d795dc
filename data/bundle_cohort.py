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
from data.course import Course, Grade, Importance, Student, Sufficient

T = TypeVar("T")

THEORIES = ("nr", "ac", "con")

_TEXT, _WHOLE, _NUMBER = pl.String(), pl.Int64(), pl.Float64()
_CELL = {"student": _TEXT, "week": _WHOLE, "feature": _TEXT}
PREDICTIONS = ParquetTable(
    "predictions.parquet",
    {"student": _TEXT, "predicted": _TEXT, "probability": _NUMBER, "explained": pl.Boolean()},
)
BEHAVIOUR = ParquetTable("students.parquet", _CELL | {"value": _NUMBER}, nullable="value")
IMPORTANCE = ParquetTable(
    "importance.parquet",
    _CELL | {"importance": _NUMBER, "direction": _TEXT, "flips_to": _TEXT, "target": _NUMBER},
)
SUFFICIENT = ParquetTable("sufficient.parquet", _CELL)
GRADES = ParquetTable(
    "grades.parquet",
    {"student": _TEXT, "item": _TEXT, "score": _NUMBER, "max": _NUMBER, "weight": _NUMBER},
    nullable="score",
)
TABLES = (PREDICTIONS, BEHAVIOUR, IMPORTANCE, SUFFICIENT, GRADES)


def read_students(folder: Path, course: Course | None, bundle: Location) -> Mapping[str, Student]:
    """All students by id, in the order of predictions.parquet, which is the list of who takes part.

    Without a course (its course.toml is broken) weeks and graded items cannot be checked and are not.
    """
    tables = {table: rows for table in TABLES if (rows := read_table(folder, table, bundle)) is not None}
    predicted = tables.get(PREDICTIONS)
    known = _know(predicted)
    cell = [*known, *_judge_cells(course)]
    faults = {
        PREDICTIONS: _judge_predictions(tables.get(IMPORTANCE)),
        BEHAVIOUR: [*cell, *_judge_value("value")],
        IMPORTANCE: [*cell, *_judge_importance(predicted)],
        SUFFICIENT: cell,
        GRADES: [*known, *_judge_grades(course)],
    }
    for table, rows in tables.items():
        note_faults(_add_bounds(rows) if "feature" in table.columns else rows, faults[table], bundle.within(table.name))
    if predicted is None:
        _read_reports(folder, None, bundle)
        return {}
    students = predicted["student"].to_list()
    bundle.within(PREDICTIONS.name).require(bool(students), "lists no student")
    reports = _read_reports(folder, set(students), bundle)
    if BEHAVIOUR in tables:
        for student in sorted(set(students) - set(tables[BEHAVIOUR]["student"])):
            bundle.within(BEHAVIOUR.name).note(f"has no row for student {student!r}")
    features = _read_features(tables.get(BEHAVIOUR))
    importances = _group(tables.get(IMPORTANCE), Importance)
    sufficient, grades = _group(tables.get(SUFFICIENT), Sufficient), _group(tables.get(GRADES), Grade)
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


def _read_features(rows: pl.DataFrame | None) -> defaultdict[str, dict[tuple[str, int], float]]:
    features = defaultdict[str, dict[tuple[str, int], float]](dict)
    for student, week, feature, value in () if rows is None else rows.drop("row").drop_nulls().iter_rows():
        features[student][sys.intern(feature), week] = value
    return features


def _group(rows: pl.DataFrame | None, kind: Callable[..., T]) -> defaultdict[str, list[T]]:
    """The rows of each student, as instances of a class that has the other columns as fields."""
    grouped = defaultdict[str, list[T]](list)
    for student, *values in () if rows is None else rows.drop("row").iter_rows():
        grouped[student].append(kind(*values))
    return grouped


def _read_reports(folder: Path, students: set[str] | None, bundle: Location) -> defaultdict[str, dict[str, str]]:
    reports = defaultdict[str, dict[str, str]](dict)
    for path in sorted((folder / "reports").glob("[!.]*")):
        place = bundle.within(f"reports/{path.name}")
        student, _, theory = path.name.removesuffix(".md").rpartition(".")
        if path.suffix != ".md" or not student or theory not in THEORIES:
            place.note(f"must be named <student>.<theory>.md with a theory of {', '.join(THEORIES)}")
            continue
        known = students is None or student in students
        place.require(known, f"student {student!r} is not in {PREDICTIONS.name}")
        text = read_text(folder, place)
        if text is not None and place.require(bool(text.strip()), "is empty"):
            reports[student][theory] = text.strip()
    return reports


def _know(predicted: pl.DataFrame | None) -> list[Fault]:
    """Nobody is called unknown when the list of students is unreadable."""
    if predicted is None:
        return []
    unknown = ~pl.col("student").is_in(predicted["student"].to_list())
    return [(unknown, f"student {{student!r}} is not in {PREDICTIONS.name}")]


def _judge_predictions(importance: pl.DataFrame | None) -> list[Fault]:
    faults: list[Fault] = [
        (pl.col("student").str.strip_chars() == "", "student is empty"),
        (~pl.col("student").is_first_distinct(), "student {student!r} is listed twice"),
        (~pl.col("probability").is_between(0, 1), "probability must be 0 to 1, not {probability:g}"),
        _judge_outcome("predicted"),
    ]
    if importance is not None:
        has = pl.col("student").is_in(importance["student"].to_list())
        lacks = f"student {{student!r}} is explained but has no row in {IMPORTANCE.name}"
        extra = f"student {{student!r}} is not explained but has rows in {IMPORTANCE.name}"
        faults += [(pl.col("explained") & ~has, lacks), (~pl.col("explained") & has, extra)]
    return faults


def _judge_outcome(column: str) -> Fault:
    return ~pl.col(column).is_in(["pass", "fail"]), f"{column} must be pass or fail, not {{{column}!r}}"


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


def _judge_cells(course: Course | None) -> list[Fault]:
    """A week that is over and a feature by its own name, each pair once for a student."""
    second = ~pl.struct("student", "week", "feature").is_first_distinct()
    faults: list[Fault] = [
        (second, "student {student!r} has a second {feature} for week {week}"),
        (pl.col("misnamed").is_not_null(), "{misnamed}"),
    ]
    if course is not None:
        outside = ~pl.col("week").is_between(1, course.weeks_done)
        faults.append((outside, f"week must be 1 to {course.weeks_done}, not {{week}}"))
    return faults


def _judge_value(column: str) -> list[Fault]:
    value = pl.col(column)
    outside = value.is_not_nan() & ~value.is_between("minimum", "maximum")
    bounds = f"must be {{minimum:g}} to {{maximum:g}}, not {{{column}:g}}"
    return [
        (value.is_nan(), f"{column} is NaN; write null for a missing value"),
        (outside, f"{'{feature}' if column == 'value' else column} {bounds}"),
    ]


def _judge_importance(predicted: pl.DataFrame | None) -> list[Fault]:
    size, wayward = pl.col("importance"), ~pl.col("direction").is_in(["increase", "decrease"])
    faults: list[Fault] = [
        (~((size > 0) & size.is_finite()), "importance must be above 0, not {importance:g}"),
        (wayward, "direction must be increase or decrease, not {direction!r}"),
        _judge_outcome("flips_to"),
        *_judge_value("target"),
    ]
    if predicted is not None:
        outcome = dict(predicted.select("student", "predicted").iter_rows())
        same = pl.col("student").replace_strict(outcome, default=None, return_dtype=_TEXT) == pl.col("flips_to")
        faults.append((same, "flips_to is {flips_to!r}, which is predicted already"))
    return faults


def _judge_grades(course: Course | None) -> list[Fault]:
    second = ~pl.struct("student", "item").is_first_distinct()
    faults: list[Fault] = [
        (second, "student {student!r} has a second grade for {item!r}"),
        (~pl.col("score").is_between(0, pl.col("max")), "score must be 0 to {max:g}, not {score:g}"),
    ]
    for item in course.grading if course else ():
        own = pl.col("item") == item.id
        share = (pl.col("weight") - item.weight).abs() > 1e-6
        faults += [
            (own & (pl.col("max") != item.max_points), f"max is {{max:g}}, but {item.max_points:g} in course.toml"),
            (own & share, f"weight is {{weight:g}}, but {item.weight:g} in course.toml"),
        ]
    if course and course.grading:
        ungraded = ~pl.col("item").is_in([item.id for item in course.grading])
        faults.append((ungraded, "course.toml grades no {item!r}"))
    return faults
