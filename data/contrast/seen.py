"""What a cohort shows: the values between which a change is believable, and what is usual."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue

PERCENTILES = (2.0, 50.0, 98.0)


@dataclass(frozen=True, slots=True)
class Range:
    """Raw values (weeks, features) of a cohort: near the lowest, the median, near the highest.

    NaN in all three where nobody has a value.
    """

    features: tuple[str, ...]
    low: Floats
    median: Floats
    high: Floats

    @classmethod
    def of(cls, behaviour: Behaviour) -> "Range":
        """2nd, 50th and 98th percentile, missing values left out, within the catalogue's bounds."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "All-NaN slice", RuntimeWarning)
            low, median, high = np.nanpercentile(behaviour.values, PERCENTILES, axis=0)
        catalogue = load_catalogue()
        bounds = [(each.minimum, each.maximum) for each in map(catalogue.by_name, behaviour.features)]
        least, most = np.array(bounds).T
        return cls(behaviour.features, np.maximum(low, least), median, np.minimum(high, most))

    def only(self, features: Sequence[str]) -> "Range":
        """Of some of the features, in the given order."""
        places = [self.features.index(name) for name in features]
        return Range(tuple(features), self.low[:, places], self.median[:, places], self.high[:, places])
