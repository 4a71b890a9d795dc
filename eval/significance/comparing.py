"""Two runs by one criterion: Fisher's exact test as in the paper, and McNemar's, of shared questions."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.stats import fisher_exact
from scipy.stats.contingency import odds_ratio
from statsmodels.stats.contingency_tables import mcnemar as exact_mcnemar

from eval.significance.share import Interval, Share


@dataclass(frozen=True, slots=True)
class Fisher:
    """Above 1 the odds favour the first run. odds_ratio: of the sample, as scipy gives it; NaN where it is 0/0.

    interval: 95 %, the exact conditional one (Fisher 1962), which fits the test: it ends at 0 or infinity where a cell
    is empty. p: two-sided.
    """

    odds_ratio: float
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class McNemar:
    """The same questions answered by two runs. only_one, only_other: questions that just that run has a YES for.

    of: questions with a verdict in both. missing: questions that lack one in either. difference: share of YES of
    the first less that of the other. interval: of the difference, 95 %, Wald with Agresti and Min's half a question
    added to each of the four cells (Statistics in Medicine 24, 2005). p: two-sided, exact (binomial).
    """

    of: int
    missing: int
    only_one: int
    only_other: int
    difference: float
    interval: Interval
    p: float


def fisher(one: Share, other: Share) -> Fisher:
    """Fisher's exact test of two shares as if their questions were different ones. p is 1 where either has none."""
    cells = [[one.yes, one.no], [other.yes, other.no]]
    if not one.of or not other.of:
        return Fisher(math.nan, Interval(0.0, math.inf), 1.0)
    found = fisher_exact(cells)
    ends = odds_ratio(cells, kind="conditional").confidence_interval()
    return Fisher(float(found.statistic), Interval(float(ends.low), float(ends.high)), float(found.pvalue))


def mcnemar(pairs: Iterable[tuple[bool | None, bool | None]]) -> McNemar:
    """McNemar's exact test. pairs: one for each question, the first run's verdict and the other's."""
    given = list(pairs)
    read = [pair for pair in given if None not in pair]
    only_one, only_other = read.count((True, False)), read.count((False, True))
    both, neither = read.count((True, True)), read.count((False, False))
    found = exact_mcnemar([[both, only_one], [only_other, neither]], exact=True)
    difference = (only_one - only_other) / len(read) if read else math.nan
    interval = _difference(only_one, only_other, len(read))
    p = min(1.0, float(found.pvalue)) if only_one + only_other else 1.0
    return McNemar(len(read), len(given) - len(read), only_one, only_other, difference, interval, p)


def _difference(only_one: int, only_other: int, of: int) -> Interval:
    """Agresti and Min's interval of a paired difference, cut at −1 and 1."""
    if not of:
        return Interval(-1.0, 1.0)
    one, other, n = only_one + 0.5, only_other + 0.5, of + 2
    middle = (one - other) / n
    half = 1.959963984540054 * math.sqrt(one + other - (one - other) ** 2 / n) / n
    return Interval(max(-1.0, middle - half), min(1.0, middle + half))
