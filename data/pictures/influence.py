"""What an importance map shows, before anything is drawn: rows by dimension, a cell for each week."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from data.catalogue import Catalogue, Feature, load_catalogue, spoken
from data.course import Course, Importance, Student

LEAST_CLASS = 5
"""With fewer values than this, a median would give away single classmates."""
NO_DATA = "no data"

Side = Literal["more", "less"]


@dataclass(frozen=True, slots=True)
class WeekCell:
    """One feature in one week.

    own, typical: the student's value and the class's median as they are shown.
    weight: 0 to 1 of the student's largest importance; 0 is not known to matter.
    side: which of more or less speaks for passing.
    """

    week: int
    own: str
    typical: str | None
    weight: float = 0.0
    side: Side = "more"


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """One feature over the concluded weeks."""

    feature: Feature
    cells: tuple[WeekCell, ...]

    @property
    def label_has_unit(self) -> bool:
        """Whether the label says the unit already, as "clicks in videos" does."""
        return self.feature.unit.split()[0].removesuffix("s") in self.feature.label

    @property
    def weight(self) -> float:
        """All weeks together."""
        return sum(cell.weight for cell in self.cells)


@dataclass(frozen=True, slots=True)
class DimensionRows:
    """The rows of one dimension of behaviour, those that weigh most first."""

    title: str
    rows: tuple[FeatureRow, ...]

    @property
    def weight(self) -> float:
        """All rows together."""
        return sum(row.weight for row in self.rows)


@dataclass(frozen=True, slots=True)
class Influence:
    """All that is known to weigh in one student's expected result; no group: there is no explanation."""

    towards_pass: bool
    groups: tuple[DimensionRows, ...]

    @property
    def sides(self) -> frozenset[Side]:
        """Which directions occur."""
        return frozenset(cell.side for cell in self.weighing)

    @property
    def weighing(self) -> tuple[WeekCell, ...]:
        """The cells that are known to matter."""
        return tuple(cell for group in self.groups for row in group.rows for cell in row.cells if cell.weight)


def find_influence(course: Course, student: Student, features: Sequence[str] | None = None) -> Influence:
    """The rows for these features, or for those with any influence; empty for a student without explanation.

    Raises UnknownFeature for a feature that is not in the catalogue.
    """
    catalogue = load_catalogue()
    towards_pass = student.predicted == "fail"
    if not student.explained:
        return Influence(towards_pass, ())
    names = {one.feature for one in student.importances} if features is None else {*features}
    most = max(one.importance for one in student.importances)
    wanted = {catalogue.by_name(name).name for name in names}
    rows = [_make_row(course, student, feature, most) for feature in catalogue if feature.name in wanted]
    return Influence(towards_pass, _group_rows(rows, catalogue))


def list_recorded_features(course: Course) -> tuple[str, ...]:
    """The features that any student of the course has a value of, in the catalogue's order."""
    seen = {feature for student in course.students.values() for feature, _ in student.features}
    return tuple(feature.name for feature in load_catalogue() if feature.name in seen)


def _group_rows(rows: Sequence[FeatureRow], catalogue: Catalogue) -> tuple[DimensionRows, ...]:
    """By dimension; groups and rows that weigh most first, equals as in the catalogue."""
    titles = [*(dimension.name for dimension in catalogue.dimensions), None]
    found = [(title, [row for row in rows if row.feature.dimension == title]) for title in titles]
    groups = [
        DimensionRows((title or "other").capitalize(), tuple(sorted(members, key=lambda row: -row.weight)))
        for title, members in found
        if members
    ]
    return tuple(sorted(groups, key=lambda group: -group.weight))


def _make_row(course: Course, student: Student, feature: Feature, most: float) -> FeatureRow:
    matters = {one.week: one for one in student.importances if one.feature == feature.name}
    weeks = range(1, course.weeks_done + 1)
    return FeatureRow(
        feature, tuple(_make_cell(course, student, feature, week, matters.get(week), most) for week in weeks)
    )


def _make_cell(
    course: Course, student: Student, feature: Feature, week: int, matters: Importance | None, most: float
) -> WeekCell:
    raw = student.features.get((feature.name, week))
    own = NO_DATA if raw is None else shorten_value(feature, raw)
    typical = _find_typical(course, feature, week)
    if matters is None:
        return WeekCell(week, own, typical)
    # The change towards passing itself, or the other of one towards failing.
    side: Side = "more" if (matters.direction == "increase") == (matters.flips_to == "pass") else "less"
    return WeekCell(week, own, typical, matters.importance / most, side)


def _find_typical(course: Course, feature: Feature, week: int) -> str | None:
    have = sum((feature.name, week) in student.features for student in course.students.values())
    raw = course.typical(feature.name, week) if have >= LEAST_CLASS else None
    return None if raw is None else shorten_value(feature, raw)


def shorten_value(feature: Feature, raw: float) -> str:
    """A raw value as short as it can be said, its unit left out: "85", "1.2k", "<1", "5 early"."""
    value, after = raw * feature.factor, ""
    if value < 0 and feature.below_zero is not None:
        value, after = -value, feature.below_zero.removeprefix(feature.unit)
    short = spoken(value, feature.decimals).replace("less than ", "<")
    return short.replace(" thousand", "k").replace(" million", "M") + after
