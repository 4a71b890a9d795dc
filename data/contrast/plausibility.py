"""Which changes are believable and what they cost: cheap is what a student would call sensible (Ustun et al. 2019).

Going towards what is usual in the class is cheaper the further away from it a student is; going away from it is dear.
The first weeks cost more, and so does each further week of one feature.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue
from data.course import LEAST_CLASS

PERCENTILES = (2.0, 50.0, 98.0)
FIRST_WEEK, LAST_WEEK = 1.6, 1.0
NEAR = 0.4  # Deviations: a value this close to the median costs twice as much as one that is twice as far again
AWAY = 3.0
UNSURE = 2.0  # For features of which neither more nor less can be advised
REPEATS = (1.0, 1.3, 1.8, 2.6, 4.0)  # By rank among the weeks of one feature; the last also for all further weeks


@dataclass(frozen=True, slots=True)
class CohortRange:
    """Raw values (weeks, features): near the lowest, the median, near the highest; NaN where too few have one."""

    low: Floats
    median: Floats
    high: Floats

    @classmethod
    def of(cls, behaviour: Behaviour) -> "CohortRange":
        """2nd, 50th and 98th percentile, missing values left out, within the catalogue's bounds.

        With fewer than LEAST_CLASS values they would lead a change to a classmate's own, and so there are none.
        """
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "All-NaN slice", RuntimeWarning)
            few = np.count_nonzero(~np.isnan(behaviour.values), axis=0) < LEAST_CLASS
            low, median, high = np.nanpercentile(np.where(few, np.nan, behaviour.values), PERCENTILES, axis=0)
        features = map(load_catalogue().by_name, behaviour.features)
        least, most = np.array([(each.minimum, each.maximum) for each in features]).T
        return cls(np.maximum(low, least), median, np.minimum(high, most))


def price_changes(room: Tensor, features: tuple[str, ...], slope: Tensor) -> tuple[Tensor, Tensor]:
    """Costs of a deviation up and down; room: the median minus own; slope: of the logit (students, weeks, features)."""
    catalogue, weeks = load_catalogue(), room.shape[1]
    week_cost = torch.linspace(FIRST_WEEK, LAST_WEEK, weeks) if weeks > 1 else torch.ones(1)
    unsure = [UNSURE if catalogue.by_name(name).good == "depends" else 1.0 for name in features]
    plain = week_cost[:, None] * torch.tensor(unsure)
    near = 1.0 / (NEAR + room.abs())
    far = AWAY / NEAR
    up = torch.where(room > 0.0, near, far) * plain
    down = torch.where(room < 0.0, near, far) * plain
    rank = (slope.abs() / torch.minimum(up, down)).argsort(dim=1, descending=True).argsort(dim=1)
    repeat = torch.tensor(REPEATS)[rank.clamp(max=len(REPEATS) - 1)]
    return up * repeat, down * repeat
