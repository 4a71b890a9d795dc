"""Jensen–Shannon divergence of two samples of one measure, with its uncertainty and what chance alone would give."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scribe.errors import UsageError

BINS = 10
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Divergence:
    """value: 0 (same histogram) to 1 (nothing shared). deviation: over bootstrap samples. chance: mean for one source.

    The divergence of small samples is above 0 even if both come from one source; `chance` is what it then is on
    average, with labels shuffled over samples of these sizes. A value near it says that no difference can be seen.
    """

    value: float
    deviation: float
    chance: float


def divergence(one: Values, other: Values, seed: int = 0, resamples: int = 500, bins: int = BINS) -> Divergence:
    """Of two samples (N,), (M,), by histograms over `bins` equal parts of the range of both; resamples use the same.

    Raises UsageError if one has fewer than two values.
    """
    if min(len(one), len(other)) < 2:
        raise UsageError(f"samples of {len(one)} and {len(other)} values cannot be compared; two each are needed")
    both = np.concatenate([one, other])
    edges = np.histogram_bin_edges(both, bins)
    source = np.random.default_rng(seed)
    resampled, shuffled = np.empty(resamples), np.empty(resamples)
    for place in range(resamples):
        resampled[place] = _between(source.choice(one, len(one)), source.choice(other, len(other)), edges)
        mixed = source.permutation(both)
        shuffled[place] = _between(mixed[: len(one)], mixed[len(one) :], edges)
    return Divergence(_between(one, other, edges), float(resampled.std(ddof=1)), float(shuffled.mean()))


def jensen_shannon(p: Values, q: Values) -> float:
    """½ D(p‖m) + ½ D(q‖m) with m = ½(p + q) and logarithms to base 2 (Lin 1991); p and q sum to 1."""
    middle = (p + q) / 2
    return (_relative(p, middle) + _relative(q, middle)) / 2


def _between(one: Values, other: Values, edges: Values) -> float:
    p, q = (np.histogram(values, edges)[0] / len(values) for values in (one, other))
    return jensen_shannon(p, q)


def _relative(p: Values, q: Values) -> float:
    """Kullback–Leibler divergence in bits; where p is 0, nothing is added."""
    there = p > 0
    return float(np.sum(p[there] * np.log2(p[there] / q[there])))
