"""How long work tells whoever waits how far it is."""

from collections.abc import Callable

Tell = Callable[[str, int, int], None]
"""Is told the step, how much of it is done, and how much there is to do; 0 of 0 when that is not known."""


def quiet(step: str, done: int, total: int) -> None:
    """A Tell for whoever does not want to know."""
