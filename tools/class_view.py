"""What may be said of the class: figures over all students, never one student's row.

With fewer than `LEAST` students a median or a share would give away single values, so there is none.
"""

import statistics
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from data.course import Course, Student

LEAST = 5
TWINS = 0.9
"""Correlation from which two features of a week tell the same story."""
MEASURABLE = 1e-5
"""Importances below this are rounding noise of the explanation, not influence."""


@dataclass(frozen=True, slots=True)
class ClassView:
    """A course's students, seen only as a whole."""

    course: Course

    def median(self, feature: str, week: int) -> float | None:
        """The median raw value of those who have one, or None if they are too few."""
        return self.course.typical(feature, week) if len(self._values(feature, week)) >= LEAST else None

    def rank(self, student: Student, feature: str, week: int) -> float | None:
        """The share (0 to 1) of the class below the student, equals counted half; None if unknown."""
        values = self._values(feature, week)
        own = student.features.get((feature, week))
        if own is None or len(values) < LEAST:
            return None
        return sum(1.0 if value < own else 0.5 if value == own else 0.0 for value in values) / len(values)

    def share_influenced(self, features: Collection[str]) -> float | None:
        """The share (0 to 1) of explained students for whom one of the features had influence."""
        explained = [each for each in self.course.students.values() if each.importances]
        if len(explained) < LEAST:
            return None
        touched = [
            any(one.feature in features and one.importance >= MEASURABLE for one in each.importances)
            for each in explained
        ]
        return sum(touched) / len(touched)

    def times_influenced(self) -> Counter[str]:
        """How often each feature had influence, over all students and weeks; empty if too few are explained."""
        explained = [each for each in self.course.students.values() if each.importances]
        if len(explained) < LEAST:
            return Counter()
        return Counter(one.feature for each in explained for one in each.importances if one.importance >= MEASURABLE)

    def weighing(self) -> frozenset[str]:
        """The features that weigh for anybody in any week: those that the prediction surely reads."""
        return frozenset(one.feature for row in self.course.students.values() for one in row.importances)

    def alike(self, one: str, other: str, week: int) -> bool:
        """Whether two features are one, or rise and fall together over the class in a week."""
        rows = [row.features for row in self.course.students.values()]
        pairs = [(row[one, week], row[other, week]) for row in rows if (one, week) in row and (other, week) in row]
        if one == other or len(pairs) < LEAST:
            return one == other
        try:
            return abs(statistics.correlation(*zip(*pairs, strict=True))) >= TWINS
        except statistics.StatisticsError:  # one of them is the same for everybody
            return False

    def _values(self, feature: str, week: int) -> list[float]:
        rows = self.course.students.values()
        return [row.features[feature, week] for row in rows if (feature, week) in row.features]
