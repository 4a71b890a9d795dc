"""Several tests at once."""

from collections.abc import Sequence

from statsmodels.stats.multitest import multipletests


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down adjusted p-values in the order given (Holm 1979); compare them with the level wanted."""
    if not p_values:
        return ()
    return tuple(float(p) for p in multipletests(list(p_values), method="holm")[1])
