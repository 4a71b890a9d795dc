"""What a piece tries when it has no room to turn."""

SHIFTS = (0, -1, 1, -2)
"""By how many columns it is shifted, in the order in which this is tried."""
