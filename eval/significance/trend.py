"""Whether the share of YES rises or falls over ordered runs, such as LoRA ranks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import Table

from eval.significance.share import Share
from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Trend:
    """z: above 0 the share rises with the score; NaN where it cannot be told. p: two-sided.

    permuted: p of the same statistic by permuting scores over verdicts, or of questions within themselves.
    """

    z: float
    p: float
    permuted: float


def trend(shares: Sequence[Share], scores: Sequence[float], permutations: int = 9999) -> Trend:
    """Cochran–Armitage's test with these scores, and beside it a permutation test of the same slope.

    Both treat verdicts as independent; runs that answer the same questions are better served by `paired_trend`.
    Raises UsageError where shares and scores differ in number or are fewer than two.
    """
    _check(len(shares), scores)
    cells = np.array([[share.no, share.yes] for share in shares], dtype=float)
    verdicts = np.concatenate([np.repeat([0.0, 1.0], [share.no, share.yes]) for share in shares])
    ranks = np.repeat(np.asarray(scores, dtype=float), [share.of for share in shares])
    if not _varies(verdicts) or not _varies(ranks):
        return Trend(math.nan, 1.0, 1.0)
    found = Table(cells, shift_zeros=False).test_ordinal_association(np.asarray(scores, dtype=float), np.arange(2.0))
    return Trend(float(found.zscore), float(found.pvalue), _permuted(verdicts, ranks, permutations))


def paired_trend(rows: Sequence[Sequence[bool | None]], scores: Sequence[float], permutations: int = 9999) -> Trend:
    """The same slope where each row holds one question's verdicts by all runs; rows with a gap are left out.

    z: the slope over its spread under permutation within questions, as in Page's test (1963); p and permuted are both
    that permutation's. Raises UsageError as `trend` does.
    """
    _check(min((len(row) for row in rows), default=len(scores)), scores)
    whole = np.array([row for row in rows if None not in row], dtype=float).reshape(-1, len(scores))
    ranks = np.asarray(scores, dtype=float) - np.mean(scores)
    ranks /= np.abs(ranks).max() or 1.0  # learning rates are as good as LoRA ranks: what counts as equal has no unit
    slope = float((whole @ ranks).sum())
    if not _varies(ranks) or not np.any(whole.std(axis=1) if whole.size else []):
        return Trend(math.nan, 1.0, 1.0)
    drawn = np.random.default_rng(0)
    found = [float((drawn.permuted(whole, axis=1) @ ranks).sum()) for _ in range(permutations)]
    p = (1 + sum(abs(value) >= abs(slope) - 1e-9 for value in found)) / (permutations + 1)
    return Trend(slope / float(np.std(found)), p, p)


def _check(count: int, scores: Sequence[float]) -> None:
    if count != len(scores) or len(scores) < 2:
        raise UsageError(f"{count} shares and {len(scores)} scores; a trend needs two or more, and as many of each")


def _varies(values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> bool:
    return values.size > 0 and bool(np.ptp(values) > 0)


def _permuted(
    verdicts: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]",
    ranks: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]",
    permutations: int,
) -> float:
    centred = ranks - ranks.mean()
    found = permutation_test(
        (verdicts,),
        lambda drawn, axis: np.sum(drawn * centred, axis=axis),
        permutation_type="pairings",
        vectorized=True,
        n_resamples=permutations,
        batch=200,
        rng=np.random.default_rng(0),
    )
    return float(found.pvalue)
