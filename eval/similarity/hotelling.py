"""Hotelling's T² for two samples of points: whether their centres differ by more than their spread explains."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import f as fisher

from scribe.errors import UsageError

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Test:
    """T², the F that it is, F's degrees of freedom, its p, and p by shuffling the labels (none of F's assumptions)."""

    t2: float
    f: float
    degrees: tuple[int, int]
    p: float
    shuffled_p: float


def hotelling(one: Points, other: Points, seed: int = 0, shuffles: int = 2000) -> Test:
    """Of points (N, P) and (M, P) with one common covariance (Hotelling 1931).

    F = (N + M − P − 1) / (P (N + M − 2)) T² with P and N + M − P − 1 degrees of freedom. Raises UsageError for too few
    points or points on one line.
    """
    (n, p), m = one.shape, len(other)
    last = n + m - p - 1
    if min(n, m) < 2 or last < 1:
        raise UsageError(f"{n} and {m} points in {p} dimensions are too few for Hotelling's test")
    t2 = _t2(one, other)
    f = last / (p * (n + m - 2)) * t2
    both, source = np.concatenate([one, other]), np.random.default_rng(seed)
    mixed = (source.permutation(both) for _ in range(shuffles))
    beyond = sum(_t2(each[:n], each[n:]) >= t2 for each in mixed)
    return Test(t2, f, (p, last), float(fisher.sf(f, p, last)), (beyond + 1) / (shuffles + 1))


def _t2(one: Points, other: Points) -> float:
    n, m = len(one), len(other)
    apart = one.mean(0) - other.mean(0)
    scatter = sum(centred.T @ centred for centred in (one - one.mean(0), other - other.mean(0)))
    pooled = np.atleast_2d(scatter / (n + m - 2))
    if np.linalg.matrix_rank(pooled) < len(pooled):
        raise UsageError("the points lie on one line, so Hotelling's test says nothing of them")
    return float(n * m / (n + m) * apart @ np.linalg.solve(pooled, apart))
