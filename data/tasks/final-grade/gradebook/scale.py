"""The scale of grades."""

LOWEST, HIGHEST = 0.0, 6.0


def clip(grade: float) -> float:
    """A grade, or the nearest end of the scale if it lies outside."""
    return min(max(grade, LOWEST), HIGHEST)
