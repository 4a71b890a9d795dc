"""The baseline that reads marks: points weighted, what was not handed in counts 0, later items left out."""

import dataclasses

import numpy as np
import pytest

from data.build.outline import outline
from data.cohort.demo import folder_of
from data.cohort.simulate import Cohort
from data.course import GradedItem
from data.predictor.marks import Marks

ITEMS = (
    GradedItem("quiz-1", "Quiz", 10, 1, 10),
    GradedItem("midterm", "Midterm", 30, 5, 40),
    GradedItem("final", "Final", 60, 7, 100),
)


def test_an_average_is_of_what_is_graded_so_far() -> None:
    course = dataclasses.replace(outline(folder_of("lnv")), grading=ITEMS, weeks_done=5, pass_mark=55)
    scores = {
        "a": {"quiz-1": 10.0, "midterm": 20.0, "final": 0.0},  # (10 + 15) of 40
        "b": {"quiz-1": None, "midterm": 40.0, "final": 90.0},  # 30 of 40
        "c": {"quiz-1": 5.0, "midterm": None, "final": 100.0},  # 5 of 40
    }
    passed = {"a": False, "b": True, "c": True}
    run = Cohort(events=None, traits={}, scores=scores, passed=passed)  # type: ignore[arg-type]
    marks = Marks.of(course, run)
    assert marks.averages == pytest.approx(np.array([62.5, 75.0, 12.5]))
    # Told to pass: a and b. Right are b of those who passed, none of those who failed.
    assert marks.line().split()[4:] == ["0.250", "0.500", "-", "-"]
