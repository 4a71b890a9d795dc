"""The students of a new bundle, put together from what was measured, predicted and explained."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from data.behaviour import Behaviour, Floats
from data.build.enrolment import Scores
from data.build.tables import DIGITS
from data.contrast.explain import Change, Explanation
from data.course import Course, Grade, Importance, Outcome, Student, Sufficient


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of each student, all in the order of `behaviour.students`.

    behaviour: raw values of the features that the log records; probability: of passing, (students,).
    """

    behaviour: Behaviour
    probability: Floats
    explanations: Sequence[Explanation]
    scores: Scores


def enrolled(course: Course, told: Told) -> Course:
    """The course with these students, without reports."""
    students = [_student(course, told, row) for row in range(len(told.behaviour.students))]
    return dataclasses.replace(course, students=MappingProxyType({one.id: one for one in students}))


def _student(course: Course, told: Told, row: int) -> Student:
    name, probability = told.behaviour.students[row], float(told.probability[row])
    explanation = told.explanations[row]
    predicted: Outcome = "pass" if probability >= 0.5 else "fail"
    scores = told.scores[name]
    return Student(
        id=name,
        features=MappingProxyType(_features(told.behaviour, row)),
        importances=tuple(_importance(change, explanation) for change in _largest_first(explanation)),
        grades=tuple(Grade(item.id, scores.get(item.id), item.max_points, item.weight) for item in course.grading),
        reports=MappingProxyType({}),
        predicted=predicted,
        probability=round(probability, 4),
        sufficient=tuple(Sufficient(week, feature) for feature, week in explanation.sufficient),
    )


def _features(behaviour: Behaviour, row: int) -> dict[tuple[str, int], float]:
    values = behaviour.values[row]
    known = np.argwhere(~np.isnan(values)).tolist()
    return {(behaviour.features[column], week + 1): float(values[week, column]) for week, column in known}


def _largest_first(explanation: Explanation) -> list[Change]:
    # By week and name where the size is the same, so that the order never depends on how it was found.
    return sorted(explanation.changes, key=lambda each: (-each.importance, each.week, each.feature))


def _importance(change: Change, explanation: Explanation) -> Importance:
    target = round(change.target, DIGITS)
    return Importance(change.week, change.feature, change.importance, change.direction, explanation.flips_to, target)
