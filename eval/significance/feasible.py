"""Which counts give a printed odds ratio and p-value: Fisher's test read backwards."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import fisher_exact

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
    one, other = of
    ones, others = np.arange(one + 1)[:, None], np.arange(other + 1)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = ones * (other - others) / ((one - ones) * others)
    near = np.argwhere(np.abs(ratios - test.odds_ratio) <= _half(test.digits[0]))
    return [Counts((a, b), of) for a, b in near.tolist() if abs(_p(a, b, of) - test.p) <= _half(test.digits[1])]


def _p(one: int, other: int, of: tuple[int, int]) -> float:
    return float(fisher_exact([[one, of[0] - one], [other, of[1] - other]]).pvalue)


def _half(digits: int) -> float:
    """Half of the last printed decimal, and a little for binary fractions."""
    return 0.5 * 10.0**-digits * (1 + 1e-6)
