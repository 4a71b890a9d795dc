"""What an earlier run teaches about the current one: a predictor, its quality, predictions, explanations."""

from collections.abc import Callable
from dataclasses import dataclass

from data.behaviour import Behaviour, Floats
from data.build.steps import Progress, Steps
from data.contrast.explain import Explanation
from data.course import BundleError
from data.predictor.model import Predictor
from data.predictor.quality import Quality
from data.predictor.training import Passed, Training, fit
from data.predictor.validation import cross_validate

FEWEST_FOLDS = 2

Explain = Callable[[Predictor, Behaviour, Behaviour, Progress], tuple[Explanation, ...]]
"""Explains the predictions of students (the second), given the cohort that says what is usual (the third)."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What the predictor reads, how good it is on the earlier run, and what it says of the current students."""

    features: tuple[str, ...]
    quality: Quality
    probability: Floats
    explanations: tuple[Explanation, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """How to learn: in how many parts the earlier run is cross-validated, how to fit, the seed of it all."""

    folds: int = 5
    training: Training = Training()  # noqa: RUF009 - frozen
    seed: int = 0

    def __post_init__(self) -> None:
        if self.folds < FEWEST_FOLDS:
            raise BundleError(f"a predictor is tested on at least {FEWEST_FOLDS} parts, not {self.folds}")


def learn(past: Behaviour, passed: Passed, now: Behaviour, lesson: Lesson, explain: Explain, steps: Steps) -> Learned:
    """Fit to the earlier run, predict the current one and explain it. Raises BundleError."""
    past, now = comparable(past, now)
    with steps.step("testing the predictor on students left out") as progress:
        quality = cross_validate(past, passed, lesson.folds, lesson.training, lesson.seed, progress)
    with steps.step("fitting the predictor") as progress:
        predictor = fit(past, passed, lesson.training, lesson.seed, progress)
    with steps.step("explaining the predictions") as progress:
        explanations = explain(predictor, now, now, progress)
    return Learned(predictor.features, quality, predictor.probability(now), explanations)


def comparable(past: Behaviour, now: Behaviour) -> tuple[Behaviour, Behaviour]:
    """Both runs with the features that differ between students in both. Raises BundleError if there is none.

    An action that the platform began to record, or no longer does, would otherwise look like a change in
    everybody's behaviour.
    """
    shared = [name for name in past.told_apart() if name in now.told_apart()]
    if not shared:
        raise BundleError("no feature differs between the students of both runs: the logs do not record enough")
    return past.only(shared), now.only(shared)
