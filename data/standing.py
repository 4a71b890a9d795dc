"""A student's points so far: what is scored, missed and open, and whether that keeps pace with the pass mark."""

import math
from dataclasses import dataclass

from data.course import Course, Grade, GradedItem, Student


@dataclass(frozen=True, slots=True)
class Standing:
    """A grade so far. `earned`, `graded`, `open` and `pass_mark` are percent of the final grade."""

    pass_mark: float
    rows: tuple[tuple[GradedItem, Grade], ...]
    missed: tuple[GradedItem, ...]
    left: tuple[GradedItem, ...]

    @property
    def earned(self) -> float:
        """What has been earned, in percent of the final grade."""
        return sum(item.weight * (grade.score or 0.0) / grade.max for item, grade in self.rows)

    @property
    def open(self) -> float:
        """What can still be earned."""
        return sum(item.weight for item in self.left)

    @property
    def graded(self) -> float:
        """What was decided so far, earned or not."""
        return sum(item.weight for item in (*(item for item, _ in self.rows), *self.missed))

    @property
    def shown(self) -> tuple[int, int]:
        """Earned and graded as whole numbers, as they are told; what is below the pass mark never looks like it."""
        earned = whole(self.earned)
        below = self.pass_mark - self.earned > 1e-6  # the rest is noise of floating point
        return (min(earned, whole(self.pass_mark) - 1) if below else earned), whole(self.graded)

    @property
    def keeps_pace(self) -> bool | None:
        """Whether the average is at least the pass mark; None: nothing graded, or the shown numbers disagree."""
        if not self.graded:
            return None
        earned, graded = self.shown
        exact = self.earned - self.graded * self.pass_mark / 100.0 >= -1e-6
        return exact if exact == (100.0 * earned >= graded * self.pass_mark) else None

    def disagrees(self, student: Student) -> bool:
        """Whether the marks so far say another thing than the student's outlook; then both have to be told."""
        return self.keeps_pace is (student.predicted == "fail")


def standing(course: Course, student: Student) -> Standing:
    """What is scored, what was not handed in although points are out for others, and what is still open."""
    out = {grade.item for one in course.students.values() for grade in one.grades if grade.score is not None}
    own = {grade.item: grade for grade in student.grades if grade.score is not None}
    rest = [item for item in course.grading if item.id not in own]
    return Standing(
        course.pass_mark,
        tuple((item, own[item.id]) for item in course.grading if item.id in own),
        tuple(item for item in rest if item.id in out),
        tuple(item for item in rest if item.id not in out),
    )


def whole(value: float) -> int:
    """The nearest whole number, halves up as a person rounds, ignoring noise of floating point."""
    return math.floor(round(value, 6) + 0.5)
