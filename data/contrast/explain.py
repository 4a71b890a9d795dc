"""Explains the predictions of a whole course at once."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from data.behaviour import Behaviour, Floats
from data.contrast.descent import Search
from data.contrast.pertinent import STAGES, find_negatives, find_positives
from data.contrast.plausibility import CohortRange, price_changes
from data.course import Direction, Outcome
from data.predictor.model import Predictor
from scribe.plumbing.progress import OnCount

MARGIN = 0.1
"""Log-odds by which a changed prediction clears the boundary: 52.5 %."""
SPREAD = 0.1
BESIDE = 1e-4
"""Deviations."""


@dataclass(frozen=True, slots=True)
class Change:
    """One feature of one week, changed by `change` deviations of the cohort (never 0) to the raw value `target`."""

    week: int
    feature: str
    change: float
    target: float

    @property
    def importance(self) -> float:
        """The size of the change, to three decimals so that it can be read."""
        return round(abs(self.change), 3)

    @property
    def direction(self) -> Direction:
        """Which way the change goes."""
        return "increase" if self.change > 0.0 else "decrease"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one student's prediction is as it is.

    flips_to: the other outcome.
    changes: together flip the prediction, the largest first; empty when none was found within what the cohort shows.
    sufficient: (feature, week) that keep the prediction even if all else were as is usual in the class. Empty when
        the usual is enough by itself, or usual values in the weeks that a student was active.
    """

    flips_to: Outcome
    changes: tuple[Change, ...]
    sufficient: tuple[tuple[str, int], ...]


def explain(
    predictor: Predictor,
    behaviour: Behaviour,
    cohort: Behaviour | CohortRange,
    on_count: OnCount = lambda done, total: None,
) -> tuple[Explanation, ...]:
    """One explanation per student, in order; `cohort` says what is usual and what is believable.

    Values stay within the cohort's, missing ones are never changed, and every change is checked: written into the raw
    values and predicted again, the prediction flips. `on_count` gets the stages done and their number. The same
    students and model give the same explanations. Raises BundleError when the behaviour lacks features or weeks that
    the model reads.
    """
    own = predictor.scale.select(behaviour)
    cohort = (CohortRange.of(cohort) if isinstance(cohort, Behaviour) else cohort).select(predictor.features)
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        on_count(done, STAGES + 1)

    search = pose_search(predictor, own, cohort)
    change = find_negatives(predictor, search, tell)
    targets = _apply_change(predictor, own, cohort, change)
    flipped = _check_flips(predictor, own, targets)
    marks = find_positives(predictor, search.start, search.missing, _standardise(predictor, cohort.median))
    tell()
    return tuple(
        Explanation(
            "pass" if search.toward[row] > 0.0 else "fail",
            _list_changes(predictor, change[row], targets[row]) if flipped[row] else (),
            tuple((predictor.features[column], week + 1) for week, column in torch.nonzero(marks[row]).tolist()),
        )
        for row in range(len(own.students))
    )


def pose_search(predictor: Predictor, own: Behaviour, cohort: CohortRange) -> Search:
    """The search for the other prediction, within the cohort's values."""
    scaled, missing = predictor.standardise(own)
    low, median, high = (_standardise(predictor, part) for part in (cohort.low, cohort.median, cohort.high))
    free = 1.0 - missing
    at = scaled.clone().requires_grad_()
    logit = predictor.logit(at, missing)
    (slope,) = torch.autograd.grad(logit.sum(), at)
    logit = logit.detach()
    up, down = price_changes((median - scaled) * free, predictor.features, slope)
    return Search(
        start=scaled,
        missing=missing,
        # A probability of just one half is read as pass.
        toward=torch.where(logit >= 0.0, -1.0, 1.0),
        need=torch.full_like(logit, MARGIN),
        low=(low - scaled).clamp(max=0.0) * free,
        high=(high - scaled).clamp(min=0.0) * free,
        up=up,
        down=down,
        spread=torch.full_like(logit, SPREAD),
    )


def _apply_change(predictor: Predictor, own: Behaviour, cohort: CohortRange, change: Tensor) -> Floats:
    """Raw values after a change, exactly the student's own where nothing changes."""
    deviation = predictor.scale.deviation
    moved = own.values + change.double().numpy() * deviation
    # Single precision ends just beside a bound that was meant: 0.00000003 videos.
    for bound in (np.fmin(cohort.low, own.values), np.fmax(cohort.high, own.values)):
        moved = np.where(np.abs(moved - bound) < BESIDE * deviation, bound, moved)
    return np.where(change.numpy() != 0.0, moved, own.values)


def _check_flips(predictor: Predictor, own: Behaviour, targets: Floats) -> Floats:
    """Marks of the students (students,) whose predicted class is another with the raw values `targets`."""
    before, after = (predictor.probability(each) >= 0.5 for each in (own, replace(own, values=targets)))
    return np.asarray(before != after)


def _standardise(predictor: Predictor, raw: Floats) -> Tensor:
    """Raw values (weeks, features) as deviations; 0 where nobody has one, and so nobody's can change."""
    scale = predictor.scale
    return torch.from_numpy(np.nan_to_num((raw - scale.mean) / scale.deviation, nan=0.0)).float()


def _list_changes(predictor: Predictor, change: Tensor, targets: Floats) -> tuple[Change, ...]:
    found = [
        Change(week + 1, predictor.features[column], float(change[week, column]), float(targets[week, column]))
        for week, column in torch.nonzero(change).tolist()
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.change), each.week, each.feature)))
