"""A book of recipes."""

from dataclasses import dataclass
from fractions import Fraction

from kitchen.units import to_smallest

PORTION = "portion"
"""The unit of a line that names another recipe."""


@dataclass
class Line:
    """So much of an ingredient, or so many portions of another recipe."""

    amount: Fraction
    unit: str
    what: str


@dataclass
class Recipe:
    """What one needs to cook so many portions."""

    portions: int
    lines: list[Line]


class CookBook:
    """Recipes by their names."""

    def __init__(self) -> None:
        self._recipes: dict[str, Recipe] = {}

    def write(self, name: str, recipe: Recipe) -> None:
        """Write a recipe into the book."""
        self._recipes[name.strip().lower()] = recipe

    def find(self, name: str) -> Recipe:
        """The recipe of this name; capitals and blanks around it do not matter."""
        return self._recipes[name.strip().lower()]

    def shopping(self, name: str, portions: int | Fraction) -> dict[tuple[str, str], Fraction]:
        """For each ingredient and smallest unit, how much one needs to cook so many portions of a recipe."""
        raise NotImplementedError
