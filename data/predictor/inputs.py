"""What a model reads: the features worth reading, their values as deviations, and parts of the students."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue
from data.course import BundleError

SUM_OF_OTHERS = ("TotalClicks",)
"""All actions together: video, quiz and forum actions are read one by one, so that one can be named."""
FEWEST = 2
"""Students of each outcome in a part."""


def choose_features(behaviour: Behaviour) -> tuple[str, ...]:
    """The features worth reading, in the order of `behaviour`.

    Left out are what never differs between any two cells, `SUM_OF_OTHERS`, and what equals another feature in every
    cell. AvgWatchedWeeklyProp is always ContentAlignment; where only the loading of videos is recorded, their clicks
    are their loads. Raises BundleError when nothing is left.
    """
    varying = behaviour.varying_features()
    chosen = list[str]()
    for name in sorted(varying, key=_rank):
        if name not in SUM_OF_OTHERS and not any(_are_equal(behaviour, name, other) for other in chosen):
            chosen.append(name)
    if not chosen:
        raise BundleError("the events tell no two students apart: no feature differs between any two of their weeks")
    return tuple(name for name in varying if name in chosen)


def _rank(name: str) -> tuple[bool, bool]:
    """Of equal features the one with the lower rank is read: one that can be advised on, with the plainer name."""
    catalogue = load_catalogue()
    dimension = catalogue.by_name(name).dimension
    advisable = dimension is not None and catalogue.dimension(dimension).core
    return not advisable, name == "AvgWatchedWeeklyProp"


def _are_equal(behaviour: Behaviour, one: str, other: str) -> bool:
    a, b = (behaviour.values[:, :, behaviour.features.index(name)] for name in (one, other))
    return np.array_equal(a, b, equal_nan=True)


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and standard deviation (weeks, features) of a cohort; missing values are left out."""

    features: tuple[str, ...]
    mean: Floats
    deviation: Floats

    @classmethod
    def fit(cls, behaviour: Behaviour) -> "Scale":
        """The scale of a cohort. A cell in which nobody differs has deviation 1; one without any value mean 0."""
        known = ~np.isnan(behaviour.values)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, behaviour.values, 0.0).sum(axis=0) / count
        squares = np.where(known, behaviour.values - mean, 0.0) ** 2
        deviation = np.sqrt(squares.sum(axis=0) / count)
        # Not `> 0`: of equal numbers the mean may be a rounding error away.
        flat = deviation <= 1e-9 * np.maximum(np.abs(mean), 1e-9)
        return cls(behaviour.features, mean, np.where(flat, 1.0, deviation))

    def select(self, behaviour: Behaviour) -> Behaviour:
        """The features of this scale. Raises BundleError when the behaviour lacks one or has other weeks."""
        absent = [name for name in self.features if name not in behaviour.features]
        if absent:
            raise BundleError(f"the model reads {', '.join(absent)}; the behaviour has {', '.join(behaviour.features)}")
        if behaviour.weeks != len(self.mean):
            has = f"the behaviour has weeks 1 to {behaviour.weeks}"
            raise BundleError(f"the model reads weeks 1 to {len(self.mean)}; {has}")
        return behaviour.only(self.features)

    def standardise(self, behaviour: Behaviour) -> tuple[Floats, Floats]:
        """Deviations from the mean (students, weeks, features), 0 where missing; and 1 where missing, 0 elsewhere."""
        values = self.select(behaviour).values
        missing = np.isnan(values)
        return np.where(missing, 0.0, (values - self.mean) / self.deviation), missing.astype(np.float64)


def split_students(passed: NDArray[np.bool_], parts: int, seed: int) -> tuple[NDArray[np.bool_], ...]:
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


def select_students(behaviour: Behaviour, marks: NDArray[np.bool_]) -> Behaviour:
    """The students that are marked (students,)."""
    return Behaviour(tuple(compress(behaviour.students, marks)), behaviour.features, behaviour.values[marks])


def check_outcomes(behaviour: Behaviour, passed: Sequence[bool] | NDArray[np.bool_]) -> None:
    """Raise BundleError unless there is an outcome for every student."""
    if len(passed) != len(behaviour.students):
        raise BundleError(f"{len(behaviour.students)} students, but the outcomes of {len(passed)}")
