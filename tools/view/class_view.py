"""What may be said of the class: figures over all students, never one student's row.

With fewer than `LEAST` students a median or a share would give away single values, so there is none.
"""

from collections.abc import Collection
from dataclasses import dataclass

from data.course import Course, Student

LEAST = 5
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

    def _values(self, feature: str, week: int) -> list[float]:
        rows = self.course.students.values()
        return [row.features[feature, week] for row in rows if (feature, week) in row.features]
