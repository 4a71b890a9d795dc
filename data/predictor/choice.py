"""Which features a model reads: those that say something the others don't."""

from collections.abc import Sequence

import numpy as np

from data.behaviour import Behaviour
from data.catalogue import load_catalogue
from data.course import BundleError

SUM_OF_OTHERS = ("TotalClicks",)
"""All actions together: video, quiz and forum actions are read one by one, so that one can be named."""


def choose(behaviour: Behaviour, leave_out: Sequence[str] = SUM_OF_OTHERS) -> tuple[str, ...]:
    """The features worth reading, in the order of `behaviour`.

    Left out: what never differs between any two cells (an action that the platform does not record),
    `leave_out`, and what equals another feature in every cell: AvgWatchedWeeklyProp is always
    ContentAlignment; where only the loading of videos is recorded, their clicks are their loads, and each
    video opened looks interrupted.
    Raises BundleError when nothing is left.
    """
    apart = behaviour.told_apart()
    kept = list[str]()
    for name in _preferred(apart):
        if name not in leave_out and not any(_same(behaviour, name, other) for other in kept):
            kept.append(name)
    if not kept:
        raise BundleError("the events tell no two students apart: no feature differs between any two of their weeks")
    return tuple(name for name in apart if name in kept)


def _preferred(names: Sequence[str]) -> list[str]:
    """Of equal features the one that says best what it is comes first, else the order stays."""
    catalogue = load_catalogue()

    def behind(name: str) -> tuple[bool, bool]:
        dimension = catalogue.by_name(name).dimension
        advisable = dimension is not None and catalogue.dimension(dimension).core
        return not advisable, name == "AvgWatchedWeeklyProp"

    return sorted(names, key=behind)


def _same(behaviour: Behaviour, one: str, other: str) -> bool:
    a, b = (behaviour.values[:, :, behaviour.features.index(name)] for name in (one, other))
    return np.array_equal(a, b, equal_nan=True)
