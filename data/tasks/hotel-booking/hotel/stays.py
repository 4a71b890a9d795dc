"""When guests are in the house."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Stay:
    """From the day of arrival to the day of departure, whose night no longer belongs to it."""

    arrival: date
    departure: date


def overlap(one: Stay, other: Stay) -> bool:
    """Whether two stays have a night in common."""
    return one.arrival < other.departure and other.arrival < one.departure
