"""What the data hold about one student beside the class: the checker's only source of numbers."""

from data.catalogue import load_catalogue
from data.course import Course, Importance, Student
from data.standing import standing

Place = tuple[str, int]
"""A feature's name and a week."""
RARE = 0.9
"""Share of the class beyond which a value may be called rare."""


class Facts:
    """One student of one course."""

    def __init__(self, student: Student, course: Course) -> None:
        self.student = student
        self.course = course
        self.marks = standing(course, student)
        self.enough = frozenset((one.feature, one.week) for one in student.sufficient)
        self.weighing = {(one.feature, one.week): one for one in student.importances}
        self.fitting = frozenset(place for place, one in self.weighing.items() if self._fits(one))
        self.heaviest = max(self.weighing, key=lambda place: self.weighing[place].importance, default=None)

    def own(self, place: Place) -> float | None:
        """The student's raw value, None for a missing one."""
        return self.student.features.get(place)

    def usual(self, place: Place) -> float | None:
        """The class's median of the raw values."""
        return self.course.typical(*place)

    def left_behind(self, place: Place, low: bool) -> float:
        """The share of the class (0 to 1) whose value is higher (low=True) or lower than the student's."""
        own = self.student.features[place]
        others = [one.features[place] for one in self.course.students.values() if place in one.features]
        return sum(each > own if low else each < own for each in others) / len(others)

    def is_rare(self, place: Place) -> bool:
        """Whether the student has left nine in ten of the class behind, upwards or downwards."""
        known = place in self.student.features
        return known and any(self.left_behind(place, low) >= RARE for low in (True, False))

    def is_over(self, week: int) -> bool:
        """Whether a week is among those the data are of."""
        return week <= self.course.weeks_done

    def _fits(self, one: Importance) -> bool:
        """The change that flips the prediction leads past the class's median, and away from (to) what is good."""
        feature = load_catalogue().by_name(one.feature)
        own, usual = self.own((one.feature, one.week)), self.usual((one.feature, one.week))
        if own is None or usual is None or feature.shown(own) == feature.shown(usual):
            return False
        rising, improving = one.direction == "increase", one.flips_to == "pass"
        wished = feature.good == "depends" or rising == (improving == (feature.good == "more"))
        return wished and rising == (own < usual)
