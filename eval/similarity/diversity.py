"""How alike the questions of one set are in meaning: the mean cosine of all pairs, with its bootstrap deviation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Diversity:
    """cosine: −1 to 1; lower is more diverse. deviation: of the mean, over bootstrap samples of the questions."""

    cosine: float
    deviation: float


def diversity(vectors: NDArray[np.floating], seed: int = 0, resamples: int = 500) -> Diversity:
    """Of rows (N, D) of length 1. Raises UsageError for fewer than two.

    A question that a resample holds twice makes no pair with itself, else resamples would look less diverse.
    """
    count = len(vectors)
    if count < 2:
        raise UsageError("one question has nothing to be compared with; two are needed")
    rows, source = np.asarray(vectors, np.float64), np.random.default_rng(seed)
    draws = source.multinomial(count, np.full(count, 1 / count), size=resamples).astype(np.float64)
    usable = draws[(draws > 0).sum(1) > 1]
    means = [_mean(rows, times) for times in usable]
    return Diversity(_mean(rows, np.ones(count)), float(np.std(means, ddof=1)) if len(means) > 1 else 0.0)


def _mean(rows: NDArray[np.float64], times: NDArray[np.float64]) -> float:
    """Mean cosine of pairs of different rows, each taken so many times: (|Σ w v|² − Σ w²) / ((Σ w)² − Σ w²)."""
    total, alone = times @ rows, float(times @ times)
    return float((total @ total - alone) / (times.sum() ** 2 - alone))
