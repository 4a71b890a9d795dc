"""Divides students into parts with the same share of passes."""

from itertools import compress

import numpy as np
from numpy.typing import NDArray

from data.behaviour import Behaviour
from data.course import BundleError

FEWEST = 2
"""Students of each outcome in a part."""


def parted(passed: NDArray[np.bool_], parts: int, seed: int) -> tuple[NDArray[np.bool_], ...]:
    """Marks (students,) of each part; every student is in exactly one, the outcomes spread evenly.

    Raises BundleError when there are fewer than FEWEST students a part who passed, or who failed.
    """
    draw = np.random.default_rng(seed)
    part = np.empty(len(passed), dtype=np.int64)
    for outcome, word in ((True, "passed"), (False, "failed")):
        rows = np.flatnonzero(passed == outcome)
        if rows.size < FEWEST * parts:
            need = f"at least {FEWEST * parts} students who {word} are needed"
            raise BundleError(f"{need} to learn from, not {rows.size}")
        part[draw.permutation(rows)] = np.arange(rows.size) % parts
    return tuple(part == number for number in range(parts))


def only_these(behaviour: Behaviour, students: NDArray[np.bool_]) -> Behaviour:
    """The students that are marked (students,)."""
    names = tuple(compress(behaviour.students, students))
    return Behaviour(names, behaviour.features, behaviour.values[students])
