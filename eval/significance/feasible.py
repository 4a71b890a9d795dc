"""Which counts give a printed odds ratio and p-value: Fisher's test read backwards."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.stats import hypergeom

from eval.significance.paper import Printed


@dataclass(frozen=True, slots=True)
class Counts:
    """YES of the first and of the second, each of how many answers."""

    yes: tuple[int, int]
    of: tuple[int, int]

    @property
    def percent(self) -> str:
        """Both shares, as in "84.2 / 78.1"."""
        return " / ".join(f"{100 * yes / of:.1f}" for yes, of in zip(self.yes, self.of, strict=True))


def feasible(test: Printed, of: tuple[int, int]) -> list[Counts]:
    """All counts whose sample odds ratio and two-sided p round to what is printed.

    of: answers of either side.
    """
    return [*_matching(test, of)]


def _matching(test: Printed, of: tuple[int, int]) -> Iterator[Counts]:
    one, other = of
    ones, others = np.arange(one + 1)[:, None], np.arange(other + 1)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = ones * (other - others) / ((one - ones) * others)
    near = np.argwhere(np.abs(ratios - test.odds_ratio) <= _half(test.digits[0]))
    for a, b in near.tolist():
        if abs(_p(a, b, of) - test.p) <= _half(test.digits[1]):
            yield Counts((a, b), of)


def by_chance(test: Printed, of: tuple[int, int], drawn: int = 40) -> float:
    """How often made-up cells near this one could be printed too: where nearly all can, a match says nothing.

    drawn: how many; odds ratio and p each within 3 and 30 percent, printed with as many decimals. 0 to 1.
    """
    chance = random.Random(0)

    def near(value: float, share: float, digits: int) -> float:
        return round(value * chance.uniform(1 - share, 1 + share), digits)

    made_up = (
        replace(test, odds_ratio=near(test.odds_ratio, 0.03, test.digits[0]), p=near(test.p, 0.3, test.digits[1]))
        for _ in range(drawn)
    )
    return sum(any(_matching(cell, of)) for cell in made_up) / drawn


def _p(one: int, other: int, of: tuple[int, int]) -> float:
    least, values = _p_values(one + other, of)
    return values[one - least]


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


def _half(digits: int) -> float:
    """Half of the last printed decimal, and a little for binary fractions."""
    return 0.5 * 10.0**-digits * (1 + 1e-6)
