"""Terms: coefficients by the power of x."""


def without_zeros(terms: dict[int, int]) -> dict[int, int]:
    """The terms whose coefficient is not 0, in a new dictionary."""
    return {power: coefficient for power, coefficient in terms.items() if coefficient != 0}
