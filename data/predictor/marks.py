"""What a teacher without a model would go by: whoever has an average so far of the pass mark will pass.

A baseline for the models on the demo courses. It reads the marks, which the models do not, and needs no past run.
"""

from dataclasses import dataclass

import numpy as np

from data.behaviour import Floats
from data.build.outline import outline
from data.cohort.demo import folder_of, load_demo
from data.cohort.simulate import Cohort
from data.course import Course
from data.predictor.quality import auc, balanced_accuracy
from data.predictor.training import Passed
from data.schedule import load_schedule

NAME = "average >= pass mark"


@dataclass(frozen=True, slots=True)
class Marks:
    """One run's averages so far in percent of what was graded, and who passed in the end (students,)."""

    averages: Floats
    passed: Passed
    pass_mark: float

    @classmethod
    def of(cls, course: Course, cohort: Cohort) -> "Marks":
        """Of what is graded in the weeks that are over; what was not handed in counts 0."""
        items = [item for item in course.grading if item.week <= course.weeks_done]
        weights = np.array([item.weight for item in items])
        shares = [[(points[item.id] or 0.0) / item.max_points for item in items] for points in cohort.scores.values()]
        averages = 100.0 * np.array(shares) @ weights / weights.sum()
        return cls(averages, np.array([cohort.passed[student] for student in cohort.scores]), course.pass_mark)

    def line(self) -> str:
        """As in `Quality.table`; an average is no probability, so it has no Brier score and no calibration."""
        right = balanced_accuracy(self.averages >= self.pass_mark, self.passed)
        return f"{NAME:<22}{right:>14.3f}{auc(self.averages, self.passed):>8.3f}{'-':>8}{'-':>13}"


def demo_marks(course_id: str) -> tuple[Marks, Marks]:
    """Those of a demo course's past and current run; raises BundleError."""
    demo, folder = load_demo(course_id), folder_of(course_id)
    course, schedule = outline(folder), load_schedule(folder)
    return Marks.of(course, demo.past(course, schedule)), Marks.of(course, demo.current(course, schedule))
