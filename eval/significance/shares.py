"""A share of YES with its standard error and Wilson interval."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.stats import binomtest

from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Interval:
    """From low to high, at the confidence that was asked for (0.95 unless said otherwise)."""

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

    def interval(self, confidence: float = 0.95) -> Interval:
        """Wilson's score interval without continuity correction (Wilson 1927); all of 0 to 1 of nothing."""
        if not self.of:
            return Interval(0.0, 1.0)
        found = binomtest(self.yes, self.of).proportion_ci(confidence, method="wilson")
        return Interval(float(found.low), float(found.high))


def count_share(verdicts: Iterable[bool | None]) -> Share:
    """Count the YES among verdicts; None is missing."""
    given = list(verdicts)
    read = [verdict for verdict in given if verdict is not None]
    return Share(sum(read), len(read), len(given) - len(read))
