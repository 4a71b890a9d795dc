"""Intervals by drawing tasks anew: tasks differ most, and what is measured of one belongs together."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.significance import Interval

Values = NDArray[np.float64]
RESAMPLES = 4000
MOST_UNDEFINED = 0.025
"""Share of resamples without a value above which there is no interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval by tasks; None where there is none, as of a gain over nothing."""

    value: float | None
    interval: Interval | None


def estimate(statistic: Callable[[Values], Values], scores: Values, seed: int = 0) -> Estimate:
    """A statistic of means over tasks, with the percentile interval of the task bootstrap (Efron 1979).

    scores: (tasks, columns), paired by task: what is compared stands in columns of the same rows. statistic: gets
    means, (…, columns), and gives (…,); not finite where it is undefined.
    """
    value = float(statistic(scores.mean(axis=0)[None, :])[0])
    draws = np.random.default_rng(seed).integers(0, len(scores), (RESAMPLES, len(scores)))
    weights = np.apply_along_axis(np.bincount, 1, draws, minlength=len(scores)) / len(scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = statistic(weights @ scores)
    defined = found[np.isfinite(found)]
    if not np.isfinite(value):
        return Estimate(None, None)
    if len(scores) < 2 or len(defined) < (1 - MOST_UNDEFINED) * RESAMPLES:
        return Estimate(value, None)
    low, high = np.percentile(defined, (2.5, 97.5))
    return Estimate(value, Interval(float(low), float(high)))
