"""From measurements to days."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from weather.reading import parse_line

FEWEST = 3
"""How many measurements a day needs."""


@dataclass(frozen=True)
class Day:
    """Temperatures of one day in degrees Celsius."""

    date: date
    lowest: float
    highest: float
    mean: float


def summarise_days(lines: Iterable[str]) -> Iterator[Day]:
    """Yield each day that has enough measurements, in the order of time."""
    raise NotImplementedError
