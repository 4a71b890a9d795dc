"""Which counts give a printed odds ratio and p-value: Fisher's test read backwards."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.stats import hypergeom

from eval.significance.paper import BASE, CRITERIA, OVER_70B, OVER_BASE, QUESTIONS, SCRIBE, TABLE_3, TESTS, PrintedTest

ONE, EIGHT, ALL = QUESTIONS, 2 * QUESTIONS, 3 * QUESTIONS
"""Answers of one model, of the two of 8B together, and of all three."""


@dataclass(frozen=True, slots=True)
class PooledCounts:
    """YES of the first and of the second, each of how many answers."""

    yes: tuple[int, int]
    of: tuple[int, int]

    @property
    def percent(self) -> str:
        """Both shares, as in "84.2 / 78.1"."""
        return " / ".join(f"{100 * yes / of:.1f}" for yes, of in zip(self.yes, self.of, strict=True))

    def can_hold(self, side: int, yes: int, of: int) -> bool:
        """Whether a side can be a part with so many YES, and other answers besides."""
        return yes <= self.yes[side] <= yes + self.of[side] - of


def find_counts(test: PrintedTest, of: tuple[int, int]) -> Iterator[PooledCounts]:
    """Find all counts whose sample odds ratio and two-sided p round to what is printed. of: answers of either side."""
    one, other = of
    ones, others = np.arange(one + 1)[:, None], np.arange(other + 1)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = ones * (other - others) / ((one - ones) * others)
    near = np.argwhere(np.abs(ratios - test.odds_ratio) <= _half_decimal(test.digits[0]))
    for a, b in near.tolist():
        least, values = _p_values(a + b, of)
        if abs(values[a - least] - test.p) <= _half_decimal(test.digits[1]):
            yield PooledCounts((a, b), of)


def find_consistent_counts(test: PrintedTest, of: tuple[int, int]) -> list[PooledCounts]:
    """Find the counts behind a printed cell whose parts fit what is known of single models.

    With one model on the first side nothing is known, for it could be either of 8B.
    """
    counts = list(find_counts(test, of))
    if of[0] == ONE:
        return counts
    if test.table == 4:
        ours, base = (_known_part(test.criterion, model) for model in (SCRIBE, BASE))
        counts = [each for each in counts if each.can_hold(0, *ours)]
        counts = [each for each in counts if test.compared != OVER_BASE or each.can_hold(1, *base)]
    if of[0] < ALL:
        return counts
    # The same table's test against the 70B has a part of the same answers on its first side.
    key = (test.table, test.criterion, OVER_70B)
    against = next(each for each in TESTS if (each.table, each.criterion, each.compared) == key)
    parts = find_consistent_counts(against, (EIGHT, ONE))
    return [each for each in counts if any(each.can_hold(0, part.yes[0], EIGHT) for part in parts)]


def estimate_chance(test: PrintedTest, of: tuple[int, int], drawn: int = 40) -> float:
    """Estimate how many (0 to 1) made-up cells near this one have counts too; where nearly all do, a match says little.

    drawn: how many; odds ratio and p each within 3 and 30 percent, printed with as many decimals.
    """
    chance = random.Random(0)

    def near(value: float, share: float, digits: int) -> float:
        return round(value * chance.uniform(1 - share, 1 + share), digits)

    made_up = (
        replace(test, odds_ratio=near(test.odds_ratio, 0.03, test.digits[0]), p=near(test.p, 0.3, test.digits[1]))
        for _ in range(drawn)
    )
    return sum(any(find_counts(cell, of)) for cell in made_up) / drawn


def _known_part(criterion: str, model: str) -> tuple[int, int]:
    """YES and number of answers of a model without the web search, from Table 3."""
    row = next(row for row in TABLE_3 if row.model == model and not row.web_search)
    share = row.share(CRITERIA.index(criterion))
    return share.yes, share.of


@cache
def _p_values(yes: int, of: tuple[int, int]) -> tuple[int, tuple[float, ...]]:
    """Fisher's two-sided p of every table with so many YES in all: from which count of the first, and one for each.

    The same as scipy's `fisher_exact`, which takes too long where all tables are looked at.
    """
    least = max(0, yes - of[1])
    mass = hypergeom.pmf(np.arange(least, min(yes, of[0]) + 1), sum(of), of[0], yes)
    rising = np.sort(mass)
    as_rare = np.searchsorted(rising, mass * (1 + 1e-7), side="right")
    return least, tuple(np.cumsum(rising)[as_rare - 1].tolist())


def _half_decimal(digits: int) -> float:
    """Half of the last printed decimal, and a little for binary fractions."""
    return 0.5 * 10.0**-digits * (1 + 1e-6)
