"""Polynomials with whole coefficients."""

from algebra.terms import without_zeros


class Polynomial:
    """A sum of terms; `terms` has no coefficient 0."""

    def __init__(self, terms: dict[int, int]) -> None:
        self.terms = terms

    @classmethod
    def constant(cls, number: int) -> "Polynomial":
        """The polynomial that is the same number everywhere."""
        return cls(without_zeros({0: number}))

    def __call__(self, x: int) -> int:
        """The value at a place."""
        return sum(coefficient * x**power for power, coefficient in self.terms.items())

    def __mul__(self, other: "Polynomial | int") -> "Polynomial":
        """The product of this polynomial and another one or a whole number."""
        raise NotImplementedError
