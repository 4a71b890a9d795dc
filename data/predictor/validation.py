"""Cross-validation: how well the predictor and a logistic regression predict students they were not fitted on."""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from data.behaviour import Behaviour, Floats
from data.predictor.inputs import Scale, check_outcomes, choose_features, select_students, split_students
from data.predictor.model import Predictor, WeightedSum
from data.predictor.quality import Quality, Scores
from data.predictor.training import DEFAULT, Passed, Training, fit
from scribe.plumbing.progress import OnCount

BILSTM, LOGISTIC = "BiLSTM", "logistic regression"
ROUNDS = 200
RIDGE = 0.02
"""L2 penalty on the logistic regression's weights, per student."""


class ProbabilityModel(Protocol):
    """A fitted model."""

    def probability(self, behaviour: Behaviour) -> Floats:
        """Probability of passing (students,)."""
        ...


Fit = Callable[[Behaviour, Passed], ProbabilityModel]


def cross_validate(
    behaviour: Behaviour,
    passed: Passed,
    folds: int = 5,
    settings: Training = DEFAULT,
    seed: int = 0,
    on_count: OnCount = lambda done, total: None,
) -> Quality:
    """The BiLSTM beside a logistic regression; every student is predicted once, by models fitted on the others.

    `on_count` gets the fits done and their number. Raises BundleError as `training.fit` does.
    """
    models: dict[str, Fit] = {
        BILSTM: lambda some, truth: fit(some, truth, settings, seed),
        LOGISTIC: fit_logistic,
    }
    return compare(behaviour, passed, models, folds, seed, on_count)


def compare(
    behaviour: Behaviour,
    passed: Passed,
    models: Mapping[str, Fit],
    folds: int,
    seed: int = 0,
    on_count: OnCount = lambda done, total: None,
) -> Quality:
    """The quality of models that are fitted by the given functions, on the same parts of the students."""
    check_outcomes(behaviour, passed)
    predicted = {name: np.full(len(passed), np.nan) for name in models}
    done = 0
    for held_out in split_students(passed, folds, seed):
        past, new = select_students(behaviour, ~held_out), select_students(behaviour, held_out)
        for name, fit_model in models.items():
            predicted[name][held_out] = fit_model(past, passed[~held_out]).probability(new)
            done += 1
            on_count(done, len(models) * folds)
    scores = {name: Scores.of(probability, passed) for name, probability in predicted.items()}
    return Quality(len(passed), float(passed.mean()), scores)


def fit_logistic(behaviour: Behaviour, passed: Passed, ridge: float = RIDGE) -> Predictor:
    """Logistic regression on deviations and missing marks. Raises BundleError when no feature tells students apart."""
    scale = Scale.fit(behaviour.only(choose_features(behaviour)))
    scaled, missing = (torch.from_numpy(array).float() for array in scale.standardise(behaviour))
    truth = torch.from_numpy(passed).float()
    model = WeightedSum(*scale.mean.shape)
    optimiser = torch.optim.LBFGS(model.parameters(), max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def evaluate_loss() -> Tensor:
        optimiser.zero_grad()
        size = model.weight.square().sum() + model.missing_weight.square().sum()
        total = cross_entropy(model(scaled, missing), truth) + ridge / 2.0 * size
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(evaluate_loss)  # type: ignore[no-untyped-call]
    return Predictor(scale, [model])
