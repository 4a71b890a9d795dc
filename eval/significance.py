"""Shares of YES and how sure a difference between runs is, by scipy and statsmodels.

It takes counts and yes/no verdicts and gives numbers. Callers leave out what is missing, and count it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scipy.stats import binomtest, fisher_exact
from scipy.stats.contingency import odds_ratio
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from scribe.plumbing.errors import UsageError

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Interval:
    """From low to high, at 95 % confidence."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Share:
    """How many of `of` readable verdicts are YES; `missing` others have none and count for neither side.

    Raises UsageError for counts that cannot be.
    """

    yes: int
    of: int
    missing: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.yes <= self.of or self.missing < 0:
            raise UsageError(f"{self.yes} of {self.of} with {self.missing} missing are no counts; give 0 ≤ yes ≤ of")

    @property
    def no(self) -> int:
        """How many readable verdicts are NO."""
        return self.of - self.yes

    @property
    def value(self) -> float:
        """The share from 0 to 1; NaN of nothing."""
        return self.yes / self.of if self.of else math.nan

    @property
    def error(self) -> float:
        """Standard error of the share, √(p(1 − p)/n); NaN of nothing. It is 0 at a share of 0 or 1: see `interval`."""
        return math.sqrt(self.value * (1 - self.value) / self.of) if self.of else math.nan

    def interval(self) -> Interval:
        """Wilson's 95 % score interval without continuity correction (Wilson 1927); all of 0 to 1 of nothing."""
        if not self.of:
            return Interval(0.0, 1.0)
        found = binomtest(self.yes, self.of).proportion_ci(0.95, method="wilson")
        return Interval(float(found.low), float(found.high))


def count_share(verdicts: Iterable[bool | None]) -> Share:
    """Count the YES among verdicts; None is missing."""
    given = list(verdicts)
    read = [verdict for verdict in given if verdict is not None]
    return Share(sum(read), len(read), len(given) - len(read))


@dataclass(frozen=True, slots=True)
class FisherTest:
    """Above 1 the odds favour the first run.

    odds_ratio: of the sample, as scipy gives it; NaN where it is 0/0.
    interval: 95 %, the exact conditional one (Fisher 1962), which fits the test.
    p: two-sided.
    """

    odds_ratio: float
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class McNemarTest:
    """The same questions answered by two runs.

    of: questions with a verdict in both. missing: questions that lack one in either.
    only_one, only_other: questions that just that run has a YES for.
    difference: share of YES of the first less that of the other.
    interval: of the difference, 95 %, Wald with half a question added to each of the four cells
    (Agresti and Min, Statistics in Medicine 24, 2005). p: two-sided, exact (binomial).
    """

    of: int
    missing: int
    only_one: int
    only_other: int
    difference: float
    interval: Interval
    p: float


def compare_shares(one: Share, other: Share) -> FisherTest:
    """Test two shares by Fisher as if their questions were different ones. p is 1 where either has none."""
    cells = [[one.yes, one.no], [other.yes, other.no]]
    if not one.of or not other.of:
        return FisherTest(math.nan, Interval(0.0, math.inf), 1.0)
    test = fisher_exact(cells)
    ends = odds_ratio(cells, kind="conditional").confidence_interval()
    return FisherTest(float(test.statistic), Interval(float(ends.low), float(ends.high)), float(test.pvalue))


def compare_pairs(pairs: Iterable[tuple[bool | None, bool | None]]) -> McNemarTest:
    """Test by McNemar. pairs: one for each question, the first run's verdict and the other's."""
    given = list(pairs)
    read = [pair for pair in given if None not in pair]
    only_one, only_other = read.count((True, False)), read.count((False, True))
    difference = (only_one - only_other) / len(read) if read else math.nan
    interval = _difference_interval(only_one, only_other, len(read))
    p = float(mcnemar([[0, only_one], [only_other, 0]], exact=True).pvalue) if only_one + only_other else 1.0
    return McNemarTest(len(read), len(given) - len(read), only_one, only_other, difference, interval, min(1.0, p))


def _difference_interval(only_one: int, only_other: int, of: int) -> Interval:
    """Agresti and Min's interval of a paired difference, cut at −1 and 1."""
    if not of:
        return Interval(-1.0, 1.0)
    one, other, n = only_one + 0.5, only_other + 0.5, of + 2
    middle = (one - other) / n
    half = Z_95 * math.sqrt(one + other - (one - other) ** 2 / n) / n
    return Interval(max(-1.0, middle - half), min(1.0, middle + half))


def adjust_holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values of several tests by Holm's step-down method (Holm 1979), in the order given."""
    if not p_values:
        return ()
    return tuple(float(p) for p in multipletests(list(p_values), method="holm")[1])
