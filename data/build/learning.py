"""What an earlier run teaches about the current one: a predictor, its quality, and the students of the new bundle."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from data.behaviour import Behaviour, Floats
from data.build.enrolment import Scores
from data.build.sources import BuildSteps
from data.contrast.explain import Explanation
from data.course import BundleError, Course, Grade, Student
from data.predictor.model import Predictor
from data.predictor.quality import Quality
from data.predictor.training import Passed, Predict, Training, cross_validate, fit, fit_logistic
from scribe.plumbing.progress import OnCount

FEWEST_FOLDS = 2

Explain = Callable[[Predictor, Behaviour, Behaviour, OnCount], tuple[Explanation, ...]]
"""Explains the predictions of students (the second), given the cohort that says what is usual (the third)."""


@dataclass(frozen=True, slots=True)
class LearningResult:
    """What the predictor reads, how good it is on the earlier run, and what it says of the current students."""

    features: tuple[str, ...]
    quality: Quality
    probability: Floats
    explanations: tuple[Explanation, ...]


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """How to learn: in how many parts the earlier run is cross-validated, how to fit, the seed of it all."""

    folds: int = 5
    training: Training = Training()  # noqa: RUF009 - frozen
    seed: int = 0

    def __post_init__(self) -> None:
        if self.folds < FEWEST_FOLDS:
            raise BundleError(f"a predictor is tested on at least {FEWEST_FOLDS} parts, not {self.folds}")


def learn(
    past: Behaviour, passed: Passed, now: Behaviour, config: LearningConfig, explain: Explain, steps: BuildSteps
) -> LearningResult:
    """Fit to the earlier run, predict the current one and explain it. Raises BundleError."""
    past, now = keep_comparable(past, now)

    def fit_bilstm(some: Behaviour, outcomes: Passed) -> Predict:
        return fit(some, outcomes, config.training, config.seed).probability

    models = {"BiLSTM": fit_bilstm, "logistic regression": lambda some, outcomes: fit_logistic(some, outcomes)[0]}
    with steps.step("testing the predictor on students left out") as progress:
        quality = cross_validate(past, passed, models, config.folds, config.seed, progress)
    with steps.step("fitting the predictor") as progress:
        predictor = fit(past, passed, config.training, config.seed, progress)
    with steps.step("explaining the predictions") as progress:
        explanations = explain(predictor, now, now, progress)
    return LearningResult(predictor.features, quality, predictor.probability(now), explanations)


def keep_comparable(past: Behaviour, now: Behaviour) -> tuple[Behaviour, Behaviour]:
    """Both runs with the features that differ in both: one that only one run records would look like a change."""
    shared = [name for name in past.varying_features() if name in now.varying_features()]
    if not shared:
        raise BundleError("no feature differs between the students of both runs: the logs do not record enough")
    return past.only(shared), now.only(shared)


def add_students(course: Course, behaviour: Behaviour, learned: LearningResult, scores: Scores) -> Course:
    """The course with the students of `behaviour`, without reports; their features are the ones that it has."""
    students = [_make_student(course, behaviour, learned, scores, row) for row in range(len(behaviour.students))]
    return dataclasses.replace(course, students=MappingProxyType({one.id: one for one in students}))


def _make_student(course: Course, behaviour: Behaviour, learned: LearningResult, scores: Scores, row: int) -> Student:
    name, probability, explanation = behaviour.students[row], float(learned.probability[row]), learned.explanations[row]
    values, points = behaviour.values[row], scores[name]
    known = np.argwhere(~np.isnan(values)).tolist()
    features = {(behaviour.features[column], week + 1): float(values[week, column]) for week, column in known}
    return Student(
        id=name,
        features=MappingProxyType(features),
        importances=explanation.importances,
        grades=tuple(Grade(item.id, points.get(item.id), item.max_points, item.weight) for item in course.grading),
        reports=MappingProxyType({}),
        predicted="pass" if probability >= 0.5 else "fail",
        probability=round(probability, 4),
        sufficient=explanation.sufficient,
    )
