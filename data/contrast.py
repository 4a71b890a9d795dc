"""Contrastive explanation of one prediction: the smallest sensible change that would flip it.

For a linear model the pertinent negative of the contrastive explanation method (Dhurandhar et al. 2018)
has a closed form: minimise sum(cost * |d|) + spread/2 * sum(d^2) so that weight . d closes the margin
and no value leaves the range seen in the cohort. Values may go up or down. What is costly: weeks long
past, and behaviours in which the student is already like the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from data.course import Direction
from data.predictor import Predictor
from data.study_week import FEATURES

Floats = NDArray[np.float64]

# Early weeks can hardly be made good: the further back, the dearer.
WEEK_COST = (1.7, 1.5, 1.3, 1.0, 0.9)
# Naming one behaviour in every week says less than naming different ones.
REPEAT_COST = (1.0, 1.3, 1.8, 2.6, 4.0)
# How far (in deviations) a student must lie on the unfavourable side of the class's median before a
# change of that behaviour is considered; to flip a pass, on the favourable side.
LEAST_SLACK = 0.2
LEAST_IMPORTANCE = 0.05
FEWEST, MOST = 3, 10
SPREADS = (0.5, 1.0, 2.0, 0.3, 0.2, 0.1, 0.05, 4.0, 8.0)
PAST_BOUNDARY = 0.2  # log-odds by which the flipped prediction clears the boundary


@dataclass(frozen=True, slots=True)
class Influence:
    """One feature-week of an explanation. `change` is signed, in deviations of the cohort."""

    week: int
    feature: str
    change: float

    @property
    def importance(self) -> float:
        """Size of the change, to three decimals so that it can be read."""
        return round(abs(self.change), 3)

    @property
    def direction(self) -> Direction:
        """The change that helps to flip the prediction."""
        return "increase" if self.change > 0.0 else "decrease"


@dataclass(frozen=True, slots=True)
class Range:
    """What the cohort shows per (week, feature), in raw units."""

    low: Floats
    median: Floats
    high: Floats

    @classmethod
    def of(cls, raw: Floats) -> Range:
        """2nd, 50th and 98th percentile of raw values (students, weeks, features), NaN left out."""
        low, median, high = np.nanpercentile(raw, (2.0, 50.0, 98.0), axis=0)
        return cls(low, median, high)


def explain(model: Predictor, raw: Floats, seen: Range) -> tuple[Influence, ...]:
    """The change that flips one student's prediction, most important first.

    `raw` is (weeks, features) with NaN for missing; missing values are never changed. Empty when no
    change of FEWEST to MOST feature-weeks inside the seen range flips the prediction.
    """
    margin = float(model.margin(raw))
    toward = 1.0 if margin < 0.0 else -1.0
    gain = np.abs(model.weight)
    way = toward * np.sign(model.weight)
    room = np.where(way > 0.0, seen.high - raw, raw - seen.low) / model.deviation
    slack = way * (seen.median - raw) / model.deviation
    usable = (slack >= LEAST_SLACK) & (room > 0.0) & (gain > 0.0)  # False where missing (NaN)
    cost = np.asarray(WEEK_COST)[:, None] / (0.3 + np.where(usable, slack, 0.0)) ** 1.5
    # Ranked by what a change is worth, the second, third, ... week of one behaviour gets dearer.
    rank = np.argsort(np.argsort(-gain / cost, axis=0), axis=0)
    cost = cost * np.asarray(REPEAT_COST)[rank]
    room = np.where(usable, room, 0.0)
    need = abs(margin) + PAST_BOUNDARY
    for spread in SPREADS:
        size = _solve(gain, cost, room, need, spread)
        if size is None:
            return ()
        # Crumbs are not worth reading: drop them and close the margin with the rest.
        kept = _solve(gain, cost, np.where(size >= LEAST_IMPORTANCE, room, 0.0), need, spread)
        if kept is not None and FEWEST <= np.count_nonzero(kept) <= MOST:
            return _influences(kept * way)
    return ()


def _solve(gain: Floats, cost: Floats, room: Floats, need: float, spread: float) -> Floats | None:
    """Sizes of the changes (>= 0) with sum(gain * size) = need, or None when out of reach.

    Optimality gives size = clip((price * gain - cost) / spread, 0, room) for one price, which is found
    by bisection because the total grows with it.
    """
    if float((gain * room).sum()) < need:
        return None

    def sizes(price: float) -> Floats:
        return np.asarray(np.clip((price * gain - cost) / spread, 0.0, room))

    low, high = 0.0, 1.0
    while float((gain * sizes(high)).sum()) < need and high < 1e9:
        high *= 2.0
    for _ in range(80):
        middle = (low + high) / 2.0
        enough = float((gain * sizes(middle)).sum()) >= need
        low, high = (low, middle) if enough else (middle, high)
    return sizes(high)


def _influences(change: Floats) -> tuple[Influence, ...]:
    cells = ((int(w), int(f)) for w, f in zip(*np.nonzero(change), strict=True))
    found = [Influence(w + 1, FEATURES[f], float(change[w, f])) for w, f in cells]
    return tuple(sorted(found, key=lambda one: (-abs(one.change), one.week, one.feature)))
