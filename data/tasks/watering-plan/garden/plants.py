"""What plants need."""

from dataclasses import dataclass
from datetime import date

SUMMER = {6, 7, 8}
"""Months in which plants need water twice as often."""


@dataclass
class Plant:
    """A plant that needs water every so many days; `last` is the day on which it last had some."""

    name: str
    every: int
    last: date
    covered: bool = False


def days_between(plant: Plant, day: date) -> int:
    """After how many days a plant needs water again, at the time of year of a day."""
    return max(1, plant.every // 2) if day.month in SUMMER else plant.every
