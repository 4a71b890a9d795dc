"""Cross-validation: how well a model predicts students it was not fitted on."""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np

from data.behaviour import Behaviour, Floats
from data.course import BundleError
from data.predictor.folds import only_these, parted
from data.predictor.logistic import fit_logistic
from data.predictor.quality import Quality, Scores
from data.predictor.training import DEFAULT, Passed, Progress, Training, fit

BILSTM, LOGISTIC = "BiLSTM", "logistic regression"


class Predicts(Protocol):
    """A fitted model."""

    def probability(self, behaviour: Behaviour) -> Floats:
        """Probability of passing (students,)."""
        ...


Fit = Callable[[Behaviour, Passed], Predicts]


def cross_validate(
    behaviour: Behaviour,
    passed: Passed,
    folds: int = 5,
    settings: Training = DEFAULT,
    seed: int = 0,
    progress: Progress | None = None,
) -> Quality:
    """The BiLSTM beside a logistic regression; every student is predicted once, by models fitted on the others.

    `progress` is told the fits done and their number. Raises BundleError as `training.fit`.
    """
    models: dict[str, Fit] = {
        BILSTM: lambda some, truth: fit(some, truth, settings, seed),
        LOGISTIC: fit_logistic,
    }
    return compare(behaviour, passed, models, folds, seed, progress)


def compare(
    behaviour: Behaviour,
    passed: Passed,
    models: Mapping[str, Fit],
    parts: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> Quality:
    """The quality of models that are fitted by the given functions, on the same parts of the students."""
    if len(passed) != len(behaviour.students):
        raise BundleError(f"{len(behaviour.students)} students, but the outcomes of {len(passed)}")
    told = {name: np.full(len(passed), np.nan) for name in models}
    done = 0
    for held_out in parted(passed, parts, seed):
        learned, asked = only_these(behaviour, ~held_out), only_these(behaviour, held_out)
        for name, fitted in models.items():
            told[name][held_out] = fitted(learned, passed[~held_out]).probability(asked)
            done += 1
            if progress is not None:
                progress(done, len(models) * parts)
    scores = {name: Scores.of(probability, passed) for name, probability in told.items()}
    return Quality(len(passed), float(passed.mean()), scores)
