"""Units of the kitchen."""

from fractions import Fraction

SMALLEST = {
    "g": ("g", 1),
    "kg": ("g", 1000),
    "ml": ("ml", 1),
    "dl": ("ml", 100),
    "l": ("ml", 1000),
    "piece": ("piece", 1),
}
"""For each unit the smallest one of its kind, and how many of that it holds."""


def to_smallest(amount: Fraction, unit: str) -> tuple[Fraction, str]:
    """The same amount in the smallest unit of its kind, and that unit: 2 kg are 2000 and `g`."""
    smallest, number = SMALLEST[unit]
    return amount * number, smallest
