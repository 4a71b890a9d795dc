"""Intervals by drawing tasks anew: tasks differ most, and what is measured of one belongs together."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

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

    @property
    def direction(self) -> int:
        """1 above 0, −1 below, 0 if the interval contains 0 or there is none: then no difference is shown."""
        if self.interval is None or self.interval.low <= 0 <= self.interval.high:
            return 0
        return 1 if self.interval.low > 0 else -1


def estimate(statistic: Callable[[Values], Values], scores: Values, seed: int = 0) -> Estimate:
    """A statistic of means over tasks, with the percentile interval of the task bootstrap (Efron 1979).

    scores: (tasks, columns), paired by task: what is compared stands in columns of the same rows. statistic: gets
    means, (…, columns), and gives (…,); not finite where it is undefined.
    """
    value = float(statistic(scores.mean(axis=0)[None, :])[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        found = statistic(_draw_weights(len(scores), seed) @ scores)
    defined = found[np.isfinite(found)]
    if not np.isfinite(value):
        return Estimate(None, None)
    if len(scores) < 2 or len(defined) < (1 - MOST_UNDEFINED) * RESAMPLES:
        return Estimate(value, None)
    low, high = np.percentile(defined, (2.5, 97.5))
    return Estimate(value, Interval(float(low), float(high)))


@lru_cache(maxsize=8)
def _draw_weights(tasks: int, seed: int) -> Values:
    """(RESAMPLES, tasks): how much each task counts in each resample; the same for all that is estimated of a run."""
    draws = np.random.default_rng(seed).integers(0, tasks, (RESAMPLES, tasks))
    weights: Values = np.apply_along_axis(np.bincount, 1, draws, minlength=tasks) / tasks
    return weights
