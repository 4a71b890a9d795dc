"""When to water what."""

from dataclasses import replace
from datetime import date, timedelta

from garden.plants import Plant, days_between

ENOUGH = 5.0
"""Millimetres of rain in a day that make watering needless."""


def plan_watering(plants: list[Plant], start: date, days: int, rain: dict[date, float]) -> dict[date, list[str]]:
    """The names of the plants to water on each day that has any; `rain` is in millimetres."""
    raise NotImplementedError
