"""The students of a course: predictions, behaviour, importances, grades and reports."""

import math
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from data.bundle_files import Location, ParquetTable, read_table, read_text
from data.catalogue import Catalogue, UnknownFeature
from data.course import Course, Grade, Importance, Outcome, Student, Sufficient

THEORIES = ("nr", "ac", "con")

_TEXT, _WHOLE, _NUMBER = pa.string(), pa.int64(), pa.float64()
PREDICTIONS = ParquetTable(
    "predictions.parquet",
    {"student": _TEXT, "predicted": _TEXT, "probability": _NUMBER, "explained": pa.bool_()},
)
BEHAVIOUR = ParquetTable(
    "students.parquet",
    {"student": _TEXT, "week": _WHOLE, "feature": _TEXT, "value": _NUMBER},
    nullable=frozenset({"value"}),
)
IMPORTANCE = ParquetTable(
    "importance.parquet",
    {
        "student": _TEXT,
        "week": _WHOLE,
        "feature": _TEXT,
        "importance": _NUMBER,
        "direction": _TEXT,
        "flips_to": _TEXT,
        "target": _NUMBER,
    },
)
SUFFICIENT = ParquetTable("sufficient.parquet", {"student": _TEXT, "week": _WHOLE, "feature": _TEXT})
GRADES = ParquetTable(
    "grades.parquet",
    {"student": _TEXT, "item": _TEXT, "score": _NUMBER, "max": _NUMBER, "weight": _NUMBER},
    nullable=frozenset({"score"}),
)
TABLES = (PREDICTIONS, BEHAVIOUR, IMPORTANCE, SUFFICIENT, GRADES)


def read_students(folder: Path, course: Course | None, catalogue: Catalogue, bundle: Location) -> Mapping[str, Student]:
    """All students by id, in the order of predictions.parquet, which is the list of who takes part.

    Without a course (its course.toml is broken) weeks and graded items cannot be checked and are not.
    """
    reader = _CohortReader(folder, course, catalogue, bundle)
    reader.read_predictions()
    reader.read_behaviour()
    reader.read_importances()
    reader.read_sufficient()
    reader.read_grades()
    reader.read_reports()
    return MappingProxyType({student: reader.build_student(student) for student in reader.predicted or {}})


class _CohortReader:
    """Reads file after file; `predicted` stays None when the list of students is unreadable."""

    def __init__(self, folder: Path, course: Course | None, catalogue: Catalogue, bundle: Location) -> None:
        self.folder = folder
        self.bundle = bundle
        self.catalogue = catalogue
        self.weeks_done = None if course is None else course.weeks_done
        self.items = {} if course is None else {item.id: item for item in course.grading}
        self.predicted: dict[str, tuple[Outcome, float, bool]] | None = None
        self.features = defaultdict[str, dict[tuple[str, int], float]](dict)
        self.importances = defaultdict[str, list[Importance]](list)
        self.sufficient = defaultdict[str, list[Sufficient]](list)
        self.grades = defaultdict[str, list[Grade]](list)
        self.reports = defaultdict[str, dict[str, str]](dict)

    def build_student(self, student: str) -> Student:
        predicted, probability, _ = (self.predicted or {})[student]
        return Student(
            id=student,
            features=MappingProxyType(self.features[student]),
            importances=tuple(sorted(self.importances[student], key=lambda each: -each.importance)),
            grades=tuple(self.grades[student]),
            reports=MappingProxyType(self.reports[student]),
            predicted=predicted,
            probability=probability,
            sufficient=tuple(self.sufficient[student]),
        )

    def read_predictions(self) -> None:
        table = read_table(self.folder, PREDICTIONS, self.bundle)
        if table is None:
            return
        self.predicted = {}
        for place, (student, predicted, probability, explained) in table:
            place.require(bool(student.strip()), "student is empty")
            place.require(student not in self.predicted, f"student {student!r} is listed twice")
            place.between("probability", probability, 0, 1)
            _check_outcome(predicted, "predicted", place)
            self.predicted.setdefault(student, (predicted, probability, explained))
        self.bundle.within(PREDICTIONS.name).require(bool(self.predicted), "lists no student")

    def read_behaviour(self) -> None:
        seen: set[tuple[str, int, str]] = set()
        table = read_table(self.folder, BEHAVIOUR, self.bundle)
        for place, (student, week, feature, value) in table or []:
            self._check_known(student, place)
            self._check_key((student, week, feature), seen, place)
            if value is None or feature not in self.catalogue:
                continue
            place.require(not math.isnan(value), "value is NaN; write null for a missing value")
            bounds = self.catalogue.by_name(feature)
            fits = math.isnan(value) or place.between(feature, value, bounds.minimum, bounds.maximum)
            if fits:
                self.features[student][feature, week] = value
        if table is not None:
            for student in sorted(set(self.predicted or {}) - {student for student, _, _ in seen}):
                self.bundle.within(BEHAVIOUR.name).note(f"has no row for student {student!r}")

    def read_importances(self) -> None:
        seen: set[tuple[str, int, str]] = set()
        table = read_table(self.folder, IMPORTANCE, self.bundle)
        for place, values in table or []:
            student, week, feature, size, direction, flips_to, target = values
            self._check_known(student, place)
            self._check_key((student, week, feature), seen, place)
            place.require(0 < size < math.inf, f"importance must be above 0, not {size:g}")
            known = direction in ("increase", "decrease")
            place.require(known, f"direction must be increase or decrease, not {direction!r}")
            if feature in self.catalogue:
                bounds = self.catalogue.by_name(feature)
                place.between("target", target, bounds.minimum, bounds.maximum)
            _check_outcome(flips_to, "flips_to", place)
            if self.predicted and student in self.predicted:
                new = flips_to != self.predicted[student][0]
                place.require(new, f"flips_to is {flips_to!r}, which is predicted already")
            self.importances[student].append(Importance(week, feature, size, direction, flips_to, target))
        if table is not None:
            self._check_explained()

    def read_sufficient(self) -> None:
        seen: set[tuple[str, int, str]] = set()
        for place, (student, week, feature) in read_table(self.folder, SUFFICIENT, self.bundle) or []:
            self._check_known(student, place)
            self._check_key((student, week, feature), seen, place)
            self.sufficient[student].append(Sufficient(week, feature))

    def read_grades(self) -> None:
        seen: set[tuple[str, str]] = set()
        for place, (student, item, score, most, weight) in read_table(self.folder, GRADES, self.bundle) or []:
            self._check_known(student, place)
            new = (student, item) not in seen
            place.require(new, f"student {student!r} has a second grade for {item!r}")
            seen.add((student, item))
            self._check_item(item, most, weight, place)
            if score is not None:
                place.between("score", score, 0, most)
            self.grades[student].append(Grade(item, score, most, weight))

    def read_reports(self) -> None:
        for path in sorted((self.folder / "reports").glob("[!.]*")):
            place = self.bundle.within(f"reports/{path.name}")
            student, _, theory = path.name.removesuffix(".md").rpartition(".")
            if path.suffix != ".md" or not student or theory not in THEORIES:
                place.note(f"must be named <student>.<theory>.md with a theory of {', '.join(THEORIES)}")
                continue
            self._check_known(student, place)
            text = read_text(self.folder, place)
            if text is not None and place.require(bool(text.strip()), "is empty"):
                self.reports[student][theory] = text.strip()

    def _check_known(self, student: str, place: Location) -> None:
        """Nobody is called unknown when the list of students is unreadable."""
        known = self.predicted is None or student in self.predicted
        place.require(known, f"student {student!r} is not in {PREDICTIONS.name}")

    def _check_key(self, key: tuple[str, int, str], seen: set[tuple[str, int, str]], place: Location) -> None:
        """A week that is over and a feature by its own name, each pair once for a student."""
        student, week, feature = key
        place.require(key not in seen, f"student {student!r} has a second {feature} for week {week}")
        seen.add(key)
        if self.weeks_done is not None:
            place.between("week", week, 1, self.weeks_done)
        try:
            name = self.catalogue.by_name(feature).name
        except UnknownFeature as error:
            place.note(str(error))
        else:
            # Two spellings of one feature would otherwise become two features.
            place.require(name == feature, f"write {name!r} instead of {feature!r}")

    def _check_explained(self) -> None:
        """Whoever is marked as explained has importances, and nobody else."""
        for student, (_, _, explained) in (self.predicted or {}).items():
            said = "explained but has no row" if explained else "not explained but has rows"
            same = explained == bool(self.importances[student])
            self.bundle.within(PREDICTIONS.name).require(same, f"student {student!r} is {said} in {IMPORTANCE.name}")

    def _check_item(self, item: str, most: float, weight: float, place: Location) -> None:
        if not self.items or not place.require(item in self.items, f"course.toml grades no {item!r}"):
            return
        points, share = self.items[item].max_points, self.items[item].weight
        place.require(most == points, f"max is {most:g}, but {points:g} in course.toml")
        same = math.isclose(weight, share, abs_tol=1e-6)
        place.require(same, f"weight is {weight:g}, but {share:g} in course.toml")


def _check_outcome(value: str, key: str, place: Location) -> None:
    place.require(value in ("pass", "fail"), f"{key} must be pass or fail, not {value!r}")
