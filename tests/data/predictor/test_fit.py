from dataclasses import replace

import numpy as np
import pytest

from data.course import BundleError
from data.predictor.logistic import fit_logistic
from data.predictor.quality import Scores
from data.predictor.training import fit
from tests.data.predictor.planted import QUICK, TRUTH, planted


def test_a_planted_rule_is_found_and_not_overstated() -> None:
    behaviour, passed = planted(600)
    predictor = fit(behaviour, passed, QUICK)
    fresh, outcome = planted(600, seed=1)
    scores = Scores.of(predictor.probability(fresh), outcome)
    best = Scores.of(fit_logistic(behaviour, passed).probability(fresh), outcome)
    assert scores.auc > best.auc - 0.03
    assert scores.auc > 0.85
    assert scores.calibration_error < 0.1


def test_the_logistic_regression_weighs_as_planted() -> None:
    model = fit_logistic(*planted(3000), ridge=1e-4).members[0]
    weight = next(model.parameters()).mean(dim=0).numpy()
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
    fit(*planted(60), replace(QUICK, epochs=3), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (6, 6)
    assert told == sorted(told)


@pytest.mark.parametrize("word", ["passed", "failed"])
def test_too_few_of_an_outcome_are_an_error(word: str) -> None:
    behaviour, _ = planted(60)
    rare = np.arange(60) < 3
    with pytest.raises(BundleError, match=f"at least 4 students who {word} .* not 3"):
        fit(behaviour, rare if word == "passed" else ~rare, QUICK)


def test_outcomes_of_other_students_are_an_error() -> None:
    behaviour, passed = planted(60)
    with pytest.raises(BundleError, match="60 students, but the outcomes of 59"):
        fit(behaviour, passed[1:], QUICK)
