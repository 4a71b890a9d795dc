"""The measures of the SCRIBE paper's comparison: entropy, divergence, diversity, and where questions lie by meaning."""

import math
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from statsmodels.stats.multivariate import test_mvmean_2indep

from scribe.plumbing.errors import UsageError

BINS = 10
NEIGHBOURS = 30
"""t-SNE's perplexity, the usual one; less where there are fewer than three times as many points."""

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Divergence:
    """Jensen–Shannon divergence of two samples of one measure.

    value: 0 (same histogram) to 1 (nothing shared). deviation: over bootstrap samples.
    chance: what samples of these sizes from one source have on average, with labels shuffled. A value near it says that
    no difference can be seen.
    """

    value: float
    deviation: float
    chance: float


@dataclass(frozen=True, slots=True)
class Diversity:
    """How alike questions are: the mean cosine of all pairs, −1 to 1; lower is more diverse.

    deviation: of the mean, over bootstrap samples of the questions.
    """

    cosine: float
    deviation: float


@dataclass(frozen=True, slots=True)
class HotellingTest:
    """T², the F that it is, F's degrees of freedom, its p, and p by shuffling the labels (none of F's assumptions)."""

    t2: float
    f: float
    degrees: tuple[int, int]
    p: float
    shuffled_p: float


def measure_entropy(text: str) -> float:
    """Bits: −Σ p log2 p over the text's own words and marks, p their shares (Shannon 1948); 0 of nothing.

    Capitals do not count. A question of n different words has log2 n bits, so length is in it.
    """
    counts = Counter(re.findall(r"\w+|[^\w\s]", text.lower()))
    return float(entropy(list(counts.values()), base=2)) if len(counts) > 1 else 0.0


def measure_divergence(one: Values, other: Values, seed: int = 0, resamples: int = 500) -> Divergence:
    """Measure how two samples (N,), (M,) diverge, by histograms over equal parts of the range of both.

    Raises UsageError if one has fewer than two values.
    """
    if min(len(one), len(other)) < 2:
        raise UsageError(f"samples of {len(one)} and {len(other)} values cannot be compared; two each are needed")
    both = np.concatenate([one, other])
    edges = np.histogram_bin_edges(both, BINS)
    source = np.random.default_rng(seed)
    resampled, shuffled = np.empty(resamples), np.empty(resamples)
    for place in range(resamples):
        resampled[place] = _diverge(source.choice(one, len(one)), source.choice(other, len(other)), edges)
        mixed = source.permutation(both)
        shuffled[place] = _diverge(mixed[: len(one)], mixed[len(one) :], edges)
    return Divergence(_diverge(one, other, edges), float(resampled.std(ddof=1)), float(shuffled.mean()))


def _diverge(one: Values, other: Values, edges: Values) -> float:
    """In bits (Lin 1991); scipy gives its square root."""
    distance = jensenshannon(np.histogram(one, edges)[0], np.histogram(other, edges)[0], base=2)
    return 0.0 if math.isnan(distance) else float(distance) ** 2  # rounding puts equal histograms below 0


def measure_diversity(vectors: NDArray[np.floating], seed: int = 0, resamples: int = 500) -> Diversity:
    """Measure the diversity of rows (N, D) of length 1. Raises UsageError for fewer than two.

    A question that a resample holds twice makes no pair with itself, else resamples would look less diverse.
    """
    count = len(vectors)
    if count < 2:
        raise UsageError("one question has nothing to be compared with; two are needed")
    rows, source = np.asarray(vectors, np.float64), np.random.default_rng(seed)
    draws = source.multinomial(count, np.full(count, 1 / count), size=resamples).astype(np.float64)
    usable = draws[(draws > 0).sum(1) > 1]
    means = [_mean_cosine(rows, times) for times in usable]
    return Diversity(_mean_cosine(rows, np.ones(count)), float(np.std(means, ddof=1)) if len(means) > 1 else 0.0)


def _mean_cosine(rows: Values, times: Values) -> float:
    """Mean cosine of pairs of different rows, each taken so many times: (|Σ w v|² − Σ w²) / ((Σ w)² − Σ w²)."""
    total, alone = times @ rows, float(times @ times)
    return float((total @ total - alone) / (times.sum() ** 2 - alone))


def compare_centres(one: Values, other: Values, seed: int = 0, shuffles: int = 2000) -> HotellingTest:
    """Test by Hotelling (1931) whether the centres of points (N, P), (M, P), P ≥ 2, differ by more than their spread.

    Raises UsageError for too few points or points on one line.
    """
    count = len(one)
    both, source = np.concatenate([one, other]), np.random.default_rng(seed)
    within = np.concatenate([one - one.mean(0), other - other.mean(0)])
    if min(count, len(other)) < 2 or np.linalg.matrix_rank(within) < within.shape[1]:
        raise UsageError(f"{count} and {len(other)} points are too few for Hotelling's test, or lie on one line")
    found = test_mvmean_2indep(one, other)
    mixed = (source.permutation(both) for _ in range(shuffles))
    beyond = sum(test_mvmean_2indep(each[:count], each[count:]).t2 >= found.t2 for each in mixed)
    degrees = int(found.df[0]), int(found.df[1])
    shuffled_p = (beyond + 1) / (shuffles + 1)
    return HotellingTest(float(found.t2), float(found.statistic), degrees, float(found.pvalue), shuffled_p)


def project(vectors: NDArray[np.floating], seed: int = 0) -> dict[str, Values]:
    """Project rows (N, D), N at least 4, to points (N, 2) by each method; the same seed gives the same points."""
    rows = np.asarray(vectors, np.float64)
    near = min(NEIGHBOURS, (len(rows) - 1) / 3)
    tsne = TSNE(n_components=2, perplexity=near, init="pca", random_state=seed).fit_transform(rows)
    principal = PCA(n_components=2, svd_solver="full").fit_transform(rows)
    return {"t-SNE": np.asarray(tsne, np.float64), "principal components": np.asarray(principal, np.float64)}
