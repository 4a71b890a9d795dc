"""Whether participants rate models differently: the paper's one-way ANOVA, whether it may be used, and how much."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from eval.significance import Interval
from scribe.plumbing.errors import UsageError

Groups = Sequence[Sequence[float]]
"""The ratings of each model; of the same participants in the same order."""


@dataclass(frozen=True, slots=True)
class GroupMean:
    """A model's mean rating. interval: of the mean, 95 %, by Student's t."""

    n: int
    mean: float
    sd: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class RatingTest:
    """One-way ANOVA (F, degrees of freedom, p) as in the paper's Table 7, and what stands beside it. NaN: undefined.

    eta2: the share of variance between models, SSB/SST. shapiro: W and p of the residuals' normality. levene: W and p
    of equal variances, around medians (Brown and Forsythe 1974). kruskal: H and p, without normality. friedman: χ² and
    p within participants, who rate all models: ANOVA and Kruskal–Wallis take the ratings as independent.
    """

    f: float
    df: tuple[int, int]
    p: float
    eta2: float
    shapiro: tuple[float, float]
    levene: tuple[float, float]
    kruskal: tuple[float, float]
    friedman: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PairEffect:
    """Two models. difference: of means, first less second. d: Cohen's, by the pooled deviation; above 0 the first is
    rated higher. interval: of d, 95 %. p: Tukey's HSD, adjusted for all pairs."""

    difference: float
    d: float
    interval: Interval
    p: float


def describe_group(values: Sequence[float]) -> GroupMean:
    """Mean, deviation and interval of one model's ratings, at least one."""
    n, mean = len(values), float(np.mean(values))
    sd = float(np.std(values, ddof=1)) if n > 1 else math.nan
    half = float(stats.t.ppf(0.975, n - 1)) * sd / math.sqrt(n) if n > 1 else math.nan
    return GroupMean(n, mean, sd, Interval(mean - half, mean + half))


def examine_ratings(groups: Groups) -> RatingTest:
    """Test whether models' ratings differ. Raises UsageError for fewer than two participants."""
    require_participants(min(map(len, groups), default=0))
    counts = [len(each) for each in groups]
    df = (len(groups) - 1, sum(counts) - len(groups))
    everything = np.concatenate([np.asarray(each, dtype=float) for each in groups])
    residuals = np.concatenate([np.asarray(each, dtype=float) - np.mean(each) for each in groups])
    total = float(((everything - everything.mean()) ** 2).sum())
    if not total:  # all said the same
        nothing = (math.nan, math.nan)
        return RatingTest(math.nan, df, math.nan, math.nan, nothing, nothing, nothing, nothing)
    inside = float((residuals**2).sum())
    nothing = (math.nan, math.nan)
    f, p = _pair(stats.f_oneway(*groups)) if inside else nothing
    return RatingTest(
        f,
        df,
        p,
        1 - inside / total,
        _pair(stats.shapiro(residuals)) if inside and len(residuals) >= 3 else nothing,
        _pair(stats.levene(*groups, center="median")) if inside else nothing,
        _pair(stats.kruskal(*groups)),
        _pair(stats.friedmanchisquare(*groups)) if len(groups) >= 3 else nothing,
    )


def compare_groups(groups: Groups) -> dict[tuple[int, int], PairEffect]:
    """All pairs of models by their numbers, from 0. Raises UsageError for fewer than two participants."""
    require_participants(min(map(len, groups), default=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        ps = stats.tukey_hsd(*groups).pvalue
    return {(a, b): _compare(groups[a], groups[b], float(ps[a, b])) for a, b in combinations(range(len(groups)), 2)}


def measure_cohens_d(one: Sequence[float], other: Sequence[float]) -> tuple[float, Interval]:
    """Cohen's d of two groups, and its 95 % interval from the noncentral t (Steiger and Fouladi 1997).

    NaN where neither group varies.
    """
    n, m = len(one), len(other)
    df = n + m - 2
    pooled = math.sqrt(((n - 1) * np.var(one, ddof=1) + (m - 1) * np.var(other, ddof=1)) / df)
    if not pooled:
        return math.nan, Interval(math.nan, math.nan)
    d = float(np.mean(one) - np.mean(other)) / pooled
    scale = math.sqrt(n * m / (n + m))
    return d, Interval(*(_find_noncentrality(d * scale, df, level) / scale for level in (0.975, 0.025)))


def _find_noncentrality(t: float, df: int, level: float) -> float:
    """The noncentrality under which so much lies below t."""

    def miss(nc: float) -> float:
        below = float(stats.nct.cdf(t, df, nc))
        if math.isnan(below):  # as scipy gives it far out, where it is 0 or 1
            below = float(nc < t)
        return below - level

    wide = 6 * math.sqrt(1 + t**2 / (2 * df))
    return float(brentq(miss, t - wide, t + wide))


def _compare(one: Sequence[float], other: Sequence[float], p: float) -> PairEffect:
    d, interval = measure_cohens_d(one, other)
    return PairEffect(float(np.mean(one) - np.mean(other)), d, interval, p)


def require_participants(count: int) -> None:
    """Raise UsageError for too few to test anything."""
    if count < 2:
        raise UsageError("fewer than two participants have finished; nothing can be tested yet")


def _pair(result: object) -> tuple[float, float]:
    """Statistic and p of one of scipy's results."""
    return float(result.statistic), float(result.pvalue)  # type: ignore[attr-defined]
