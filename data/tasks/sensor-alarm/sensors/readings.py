"""What a sensor tells."""

from dataclasses import dataclass

COLDEST, WARMEST = -60.0, 60.0
"""Degrees that the thermometer can measure; a broken one tells others."""


@dataclass(frozen=True)
class Reading:
    """One temperature in degrees, or None if the sensor did not answer."""

    minute: int
    value: float | None


def is_valid(reading: Reading) -> bool:
    """Whether there is a temperature, and one that the thermometer can measure."""
    return reading.value is not None and COLDEST <= reading.value <= WARMEST
