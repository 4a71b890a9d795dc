"""Pass/fail prediction after five weeks: a small logistic regression, fitted with numpy.

The model reads standardised feature-weeks. A missing value is put at the cohort's mean and marked in a
column of its own, so that "did nothing" never looks like a good value. Weights may only point the way
in which a behaviour can be advised (`good` in the catalogue): a model that found "study less and pass"
in chance correlations would otherwise make its explanations say so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from data.catalogue import load_catalogue
from data.study_week import FEATURES

Floats = NDArray[np.float64]

# No single feature-week decides: correlated behaviours share the weight instead of hiding each other.
LARGEST_WEIGHT = 0.2
# Not read because others say the same: AvgWatchedWeeklyProp always equals ContentAlignment, and
# TotalClicks is the sum of its parts.
REPEATED = ("AvgWatchedWeeklyProp", "TotalClicks")


def sense(feature: str) -> int:
    """+1 where more is better, -1 where less is; 0 for what the model does not read."""
    if feature in REPEATED:
        return 0
    return {"more": 1, "less": -1, "depends": 0}[load_catalogue().by_name(feature).good]


@dataclass(frozen=True, slots=True)
class Predictor:
    """A fitted model. Arrays are (weeks, features), in the order of study_week.FEATURES.

    `mean` and `deviation` are of the cohort learned from; `weight` and `missing_weight` act on
    standardised values and on the missing mask; a positive margin predicts pass.
    """

    mean: Floats
    deviation: Floats
    weight: Floats
    missing_weight: Floats
    bias: float

    def standardise(self, raw: Floats) -> Floats:
        """Raw values (..., weeks, features), NaN for missing, to z-scores with 0 for missing."""
        return np.nan_to_num((raw - self.mean) / self.deviation, nan=0.0)

    def margin(self, raw: Floats) -> Floats:
        """Log-odds of passing for raw values (..., weeks, features)."""
        missing = np.isnan(raw).astype(np.float64)
        score = (self.standardise(raw) * self.weight + missing * self.missing_weight).sum(axis=(-2, -1))
        return np.asarray(score + self.bias)

    def probability(self, raw: Floats) -> Floats:
        """Probability of passing, 0..1."""
        return np.asarray(1.0 / (1.0 + np.exp(-self.margin(raw))))


def fit(
    raw: Floats, passed: NDArray[np.bool_], ridge: float = 0.02, lasso: float = 0.02, rounds: int = 600
) -> Predictor:
    """Fit to raw values (students, weeks, features), NaN for missing.

    `ridge` and `lasso` are the L2 and L1 penalties per student; L1 keeps the number of feature-weeks
    small, so that few changes can flip a prediction. Accelerated proximal gradient (FISTA): after
    every step weights shrink, and those that point against their sense are set back to 0.
    """
    mean, deviation = np.nanmean(raw, axis=0), np.nanstd(raw, axis=0)
    deviation = np.where(deviation > 0.0, deviation, 1.0)
    standard = np.nan_to_num((raw - mean) / deviation, nan=0.0)
    students, (weeks, features) = raw.shape[0], raw.shape[1:]
    ones = np.ones((students, 1))
    columns = [standard.reshape(students, -1), np.isnan(raw).reshape(students, -1), ones]
    x = np.concatenate(columns, axis=1)
    low, high = _bounds(np.tile([sense(name) for name in FEATURES], weeks), x.shape[1])
    penalised = np.ones(x.shape[1])
    penalised[-1] = 0.0  # the bias is free
    step = 1.0 / (np.linalg.norm(x, 2) ** 2 / (4.0 * students) + ridge)
    weights = ahead = np.zeros(x.shape[1])
    for turn in range(rounds):
        slope = x.T @ (1.0 / (1.0 + np.exp(-(x @ ahead))) - passed) / students + ridge * penalised * ahead
        moved = ahead - step * slope
        moved = np.sign(moved) * np.maximum(np.abs(moved) - step * lasso * penalised, 0.0)
        moved = np.clip(moved, low, high)
        ahead = moved + turn / (turn + 3.0) * (moved - weights)
        weights = moved
    cells = weeks * features
    shape = (weeks, features)
    return Predictor(
        mean, deviation, weights[:cells].reshape(shape), weights[cells:-1].reshape(shape), float(weights[-1])
    )


def _bounds(senses: NDArray[np.int64], columns: int) -> tuple[Floats, Floats]:
    """Lowest and highest weight of each column; the mask and the bias are free."""
    low, high = np.full(columns, -np.inf), np.full(columns, np.inf)
    low[: senses.size] = np.where(senses < 0, -LARGEST_WEIGHT, 0.0)
    high[: senses.size] = np.where(senses > 0, LARGEST_WEIGHT, 0.0)
    return low, high
