"""How often kappa's intervals hold the true kappa: `python -m eval.agreement.coverage`.

Two simulated raters with the same share of yes; ours beside the interval from kappa's asymptotic variance.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from statsmodels.stats.inter_rater import cohens_kappa

from eval.agreement.kappa import agreement
from eval.bench.figure import Figure

RATED, YES, KAPPA = (20, 60), (0.5, 0.7, 0.9), (0.3, 0.6, 0.85, 0.95)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of the drawn tables whose interval holds the truth; tables without a kappa are left out."""

    rated: int
    yes: float
    kappa: float
    ours: float
    asymptotic: float


def coverage(rated: int, yes: float, kappa: float, draws: int = 300) -> Coverage:
    """Draw tables of two raters. yes: each one's share of yes; kappa: the true one."""
    apart = yes * (1 - yes) * (1 - kappa)
    tables = np.random.default_rng(0).multinomial(rated, [yes - apart, apart, apart, 1 - yes - apart], size=draws)
    held = [both for table in tables for both in _held([int(cell) for cell in table], kappa)]
    return Coverage(rated, yes, kappa, *(sum(column) / len(held) for column in zip(*held, strict=True)))


def _held(cells: list[int], truth: float) -> Iterator[tuple[bool, bool]]:
    kinds = [(True, True), (True, False), (False, True), (False, False)]
    ours = agreement([kind for kind, number in zip(kinds, cells, strict=True) for _ in range(number)]).interval
    if ours is None:
        return
    with np.errstate(invalid="ignore", divide="ignore"):  # its variance may come out as below 0
        usual = cohens_kappa(np.array(cells).reshape(2, 2))
    # Rounding must not decide where everybody agrees: there the usual interval is one point.
    low, high = float(usual.kappa_low) - 1e-9, float(usual.kappa_upp) + 1e-9
    yield ours.low <= truth <= ours.high, not math.isnan(low) and low <= truth <= high


def main() -> None:
    """Print the table."""
    found = [coverage(rated, yes, kappa) for rated in RATED for yes in YES for kappa in KAPPA]
    head = ("rated", "share of yes", "true kappa", "held by ours", "by the asymptotic one")
    rows = [(f"{c.rated}", f"{c.yes}", f"{c.kappa}", f"{c.ours:.1%}", f"{c.asymptotic:.1%}") for c in found]
    Figure("95 % intervals of kappa", "300 simulated pairs of raters a row.", head, rows, None).show()


if __name__ == "__main__":
    main()
