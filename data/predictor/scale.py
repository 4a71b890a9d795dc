"""Raw values as deviations from a cohort's mean, and back."""

from dataclasses import dataclass

import numpy as np

from data.behaviour import Behaviour, Floats
from data.course import BundleError


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and standard deviation (weeks, features) of a cohort, values that are missing left out."""

    features: tuple[str, ...]
    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, behaviour: Behaviour) -> "Scale":
        """Of a cohort. A cell in which nobody differs has deviation 1; one without any value mean 0."""
        known = ~np.isnan(behaviour.values)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, behaviour.values, 0.0).sum(axis=0) / count
        squares = np.where(known, behaviour.values - mean, 0.0) ** 2
        deviation = np.sqrt(squares.sum(axis=0) / count)
        # Not `> 0`: of equal numbers the mean may be a rounding error away.
        flat = deviation <= 1e-9 * np.maximum(np.abs(mean), 1e-9)
        return cls(behaviour.features, mean, np.where(flat, 1.0, deviation))

    @property
    def weeks(self) -> int:
        """How many weeks there are."""
        return int(self.mean.shape[0])

    def taken(self, behaviour: Behaviour) -> Behaviour:
        """The features of this scale; raises BundleError when the behaviour lacks one or has other weeks."""
        absent = [name for name in self.features if name not in behaviour.features]
        if absent:
            raise BundleError(f"the model reads {', '.join(absent)}; the behaviour has {', '.join(behaviour.features)}")
        if behaviour.weeks != self.weeks:
            has = f"the behaviour has weeks 1 to {behaviour.weeks}"
            raise BundleError(f"the model reads weeks 1 to {self.weeks}; {has}")
        return behaviour.only(self.features)

    def scaled(self, behaviour: Behaviour) -> tuple[Floats, Floats]:
        """Deviations from the mean (students, weeks, features), 0 where missing, and 1 where missing, 0 elsewhere."""
        values = self.taken(behaviour).values
        missing = np.isnan(values)
        return np.where(missing, 0.0, (values - self.mean) / self.deviation), missing.astype(np.float64)

    def raw(self, scaled: Floats, missing: Floats) -> Floats:
        """The values (students, weeks, features) in raw units again, NaN where missing."""
        return np.where(missing > 0.0, np.nan, scaled * self.deviation + self.mean)
