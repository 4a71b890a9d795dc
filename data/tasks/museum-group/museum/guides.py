"""People who show the museum."""

PER_GUIDE = 15
"""How many visitors one guide can look after."""
FEE = 8000
"""What a guide costs."""


def guide_fee(visitors: int) -> int:
    """The price of the guides that so many visitors need."""
    return -(-visitors // PER_GUIDE) * FEE
