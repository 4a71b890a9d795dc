"""Fitting finds planted rules, the same ones each time, and not that studying less helps."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from data.behaviour import Behaviour
from data.course import BundleError
from data.predictor.model import Predictor
from data.predictor.quality import Scores
from data.predictor.training import fit, fit_logistic, list_senses, measure_falls
from tests.data.predictor.planted import FEATURES, QUICK, TRUTH, planted


def test_a_planted_rule_is_found_and_not_overstated() -> None:
    behaviour, passed = planted(600)
    predictor = fit(behaviour, passed, QUICK)
    fresh, outcome = planted(600, seed=1)
    scores = Scores.of(predictor.probability(fresh), outcome)
    best = Scores.of(fit_logistic(behaviour, passed)[0](fresh), outcome)
    assert scores.auc > best.auc - 0.03
    assert scores.auc > 0.85
    assert scores.calibration_error < 0.1


def test_the_logistic_regression_weighs_as_planted() -> None:
    _, weights = fit_logistic(*planted(3000), ridge=1e-4)
    weight = weights.reshape(2, 3, len(FEATURES))[0].mean(axis=0)
    assert weight == pytest.approx(TRUTH / np.sqrt(3), abs=0.15)


def test_the_same_seed_gives_the_same_model_and_another_seed_another() -> None:
    behaviour, passed = planted(80)
    quick = replace(QUICK, epochs=2)
    one, same = (fit(behaviour, passed, quick, seed=3).probability(behaviour) for _ in range(2))
    other = fit(behaviour, passed, quick, seed=4).probability(behaviour)
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 1e-4


def test_who_did_nothing_at_all_is_predicted_too_and_doing_nothing_is_no_average_student() -> None:
    behaviour, passed = planted(300)
    values = behaviour.values.copy()
    values[~passed & (np.arange(300) % 2 == 0)] = np.nan
    predictor = fit(replace(behaviour, values=values), passed, QUICK)
    idle = replace(behaviour, values=np.full_like(values, np.nan))
    assert predictor.probability(idle).max() < 0.3


def test_progress_reaches_its_end() -> None:
    told = list[tuple[int, int]]()
    fit(*planted(60), replace(QUICK, epochs=3), on_count=lambda done, total: told.append((done, total)))
    assert told[-1] == (6, 6)
    assert told == sorted(told)


@pytest.mark.parametrize("word", ["passed", "failed"])
def test_too_few_of_an_outcome_are_an_error(word: str) -> None:
    behaviour, _ = planted(60)
    rare = np.arange(60) < 3
    with pytest.raises(BundleError, match=f"at least 4 students who {word} .* not 3"):
        fit(behaviour, rare if word == "passed" else ~rare, QUICK)


# More sessions go along with failing, against the catalogue.
MISLEADING = np.array([-1.0, -1.5, 1.0, 1.0])


def test_the_senses_are_those_of_the_catalogue() -> None:
    assert list_senses(FEATURES).tolist() == [1, -1, 1, 0]


def against_sense(predictor: Predictor, behaviour: Behaviour) -> float:
    """Of all slopes of the logit at students, summed over features with a sense, the part against it, 0 to 1."""
    scaled, missing = predictor.standardise(behaviour)
    scaled.requires_grad_()
    (slope,) = torch.autograd.grad(predictor.logit(scaled, missing).sum(), scaled)
    good = slope * list_senses(predictor.features) * (1.0 - missing)
    return float(torch.relu(-good).sum() / good.abs().sum())


def test_a_misleading_cohort_does_not_teach_that_studying_less_helps() -> None:
    behaviour, passed = planted(500, truth=MISLEADING)
    free = fit(behaviour, passed, replace(QUICK, monotone=0.0))
    bound = fit(behaviour, passed, QUICK)
    assert against_sense(free, behaviour) > 0.2
    assert against_sense(bound, behaviour) < 0.02
    # What the catalogue leaves open may still be learned: longer, uneven sessions.
    at, missing = bound.standardise(behaviour)
    (slope,) = torch.autograd.grad(bound.logit(at.requires_grad_(), missing).sum(), at)
    assert slope[..., 3].mean() > 0.05


class Falling(torch.nn.Module):
    """A logit that falls with the first feature, and with the last."""

    def forward(self, scaled: torch.Tensor, missing: torch.Tensor) -> torch.Tensor:
        return -(scaled[..., 0] + scaled[..., 3]).sum(dim=1)


def test_only_known_cells_with_a_sense_are_held_against_a_model() -> None:
    torch.manual_seed(0)
    scaled, known = torch.zeros(2000, 3, 4), torch.zeros(2000, 3, 4)
    penalty = measure_falls(Falling(), scaled, known, list_senses(FEATURES))
    # Half of a deviation and a half, in each of 3 cells of 12 of which two are moved.
    assert 0.25 < float(penalty) < 0.5
    assert float(measure_falls(Falling(), scaled, torch.ones(2000, 3, 4), list_senses(FEATURES))) == 0
    assert float(measure_falls(Falling(), scaled, known, torch.zeros(4))) == 0
