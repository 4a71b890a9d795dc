import json
from dataclasses import astuple, replace

import numpy as np
import pytest

from data.behaviour import Behaviour
from data.predictor.quality import Quality, Scores
from data.predictor.training import Predict, cross_validate, fit, fit_logistic
from tests.data.predictor.planted import QUICK, planted


def test_scores_are_those_worked_out_by_hand() -> None:
    probability = np.array([0.9, 0.6, 0.6, 0.1])
    passed = np.array([True, True, False, False])
    scores = Scores.of(probability, passed, bins=2)
    assert scores.balanced_accuracy == pytest.approx((1 + 0.5) / 2)
    assert scores.auc == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert scores.brier == pytest.approx((0.01 + 0.16 + 0.36 + 0.01) / 4)
    low, high = scores.reliability
    assert astuple(low) == pytest.approx((0.35, 0.5, 2))
    assert astuple(high) == pytest.approx((0.75, 0.5, 2))
    assert scores.calibration_error == pytest.approx((0.15 + 0.25) / 2)


def test_turned_predictions_are_as_bad_as_the_right_ones_are_good() -> None:
    draw = np.random.default_rng(0)
    probability = draw.random(500)
    passed = draw.random(500) < probability
    assert Scores.of(1 - probability, passed).auc == pytest.approx(1 - Scores.of(probability, passed).auc)
    assert Scores.of(probability, passed).calibration_error < 0.08
    assert Scores.of(probability**4, passed).calibration_error > 0.2


def test_quality_goes_to_json_and_is_readable() -> None:
    behaviour, passed = planted(60)
    settings = replace(QUICK, epochs=2)
    models = {
        "BiLSTM": lambda some, truth: fit(some, truth, settings).probability,
        "logistic regression": lambda some, truth: fit_logistic(some, truth)[0],
    }
    quality = cross_validate(behaviour, passed, models, folds=2, seed=0)
    read = json.loads(json.dumps(quality.as_json()))
    assert set(read["models"]) == {"BiLSTM", "logistic regression"}
    for model in read["models"].values():
        assert sum(each["count"] for each in model["reliability"]) == 60
        assert 0 <= model["brier"] <= 1
    assert quality.table().count("\n") == 2


def test_every_student_is_predicted_by_a_model_that_never_saw_them() -> None:
    behaviour, passed = planted(90)
    sizes = list[int]()

    def fit_memory(some: Behaviour, truth: np.ndarray) -> Predict:
        sizes.append(len(truth))
        return lambda others: np.array([float(name in some.students) for name in others.students])

    quality = cross_validate(behaviour, passed, {"remembers": fit_memory}, folds=3, seed=0)
    assert isinstance(quality, Quality)
    assert all(each.predicted == 0 for each in quality.models["remembers"].reliability)
    assert sum(sizes) == 2 * 90
