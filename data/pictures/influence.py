"""What an importance map shows, before anything is drawn: rows by dimension, a cell for each week."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from data.catalogue import Feature, load_catalogue, spoken
from data.course import Course, Student

NO_DATA = "no data"

Side = Literal["more", "less"]


@dataclass(frozen=True, slots=True)
class WeekCell:
    """A feature in a week: values as shown, weight (0 to 1 of the largest), what speaks for passing."""

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
class Influence:
    """What is known to weigh in a student's expected result, by dimension, what weighs most first; may be nothing."""

    towards_pass: bool
    groups: Mapping[str, Sequence[FeatureRow]]

    @property
    def weighing(self) -> list[tuple[FeatureRow, WeekCell]]:
        """The cells that are known to matter, what weighs most first."""
        cells = [(row, cell) for rows in self.groups.values() for row in rows for cell in row.cells if cell.weight]
        return sorted(cells, key=lambda pair: -pair[1].weight)


def find_influence(course: Course, student: Student, features: Sequence[str] | None = None) -> Influence:
    """The rows for these features, or for those with any influence; none without explanation. Raises UnknownFeature."""
    catalogue = load_catalogue()
    towards_pass = student.predicted == "fail"
    if not student.explained:
        return Influence(towards_pass, {})
    names = {one.feature for one in student.importances} if features is None else features
    wanted = {catalogue.by_name(name).name for name in names}
    weeks = range(1, course.weeks_done + 1)
    rows = [
        FeatureRow(feature, tuple(_make_cell(course, student, feature, week) for week in weeks))
        for feature in catalogue
        if feature.name in wanted
    ]
    rows.sort(key=lambda row: -row.weight)
    titles = [*(dimension.name for dimension in catalogue.dimensions), None]
    groups = [(title or "other", [row for row in rows if row.feature.dimension == title]) for title in titles]
    groups.sort(key=lambda group: -sum(row.weight for row in group[1]))
    return Influence(towards_pass, {title: members for title, members in groups if members})


def list_recorded_features(course: Course) -> tuple[str, ...]:
    """The features that any student of the course has a value of, in the catalogue's order."""
    seen = {feature for student in course.students.values() for feature, _ in student.features}
    return tuple(feature.name for feature in load_catalogue() if feature.name in seen)


def _make_cell(course: Course, student: Student, feature: Feature, week: int) -> WeekCell:
    place = feature.name, week
    usual = course.typical(*place)
    typical = None if usual is None else shorten_value(feature, usual)
    own = shorten_value(feature, student.features[place]) if place in student.features else NO_DATA
    matters = next((one for one in student.importances if (one.feature, one.week) == place), None)
    if matters is None:
        return WeekCell(week, own, typical)
    # The change towards passing itself, or the other of one towards failing.
    side: Side = "more" if (matters.direction == "increase") == (matters.flips_to == "pass") else "less"
    most = max(one.importance for one in student.importances)
    return WeekCell(week, own, typical, matters.importance / most, side)


def shorten_value(feature: Feature, raw: float) -> str:
    """A raw value as short as it can be said, its unit left out: "85", "1.2k", "<1", "5 early"."""
    value, after = raw * feature.factor, ""
    if value < 0 and feature.below_zero is not None:
        value, after = -value, feature.below_zero.removeprefix(feature.unit)
    short = spoken(value, feature.decimals).replace("less than ", "<")
    return short.replace(" thousand", "k").replace(" million", "M") + after
