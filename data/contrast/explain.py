"""Explains the predictions of a whole course at once."""

from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import torch
from torch import Tensor

from data.behaviour import DIGITS, Behaviour, Floats
from data.contrast.descent import Search
from data.contrast.pertinent import STAGES, find_negatives, find_positives
from data.contrast.plausibility import CohortRange, price_changes
from data.course import Importance, Outcome, Sufficient
from data.predictor.model import Predictor
from scribe.plumbing.progress import OnCount

MARGIN = 0.1  # Log-odds by which a changed prediction clears the boundary: 52.5 %
SPREAD = 0.1
BESIDE = 1e-4  # Deviations


@dataclass(frozen=True, slots=True)
class Explanation:
    """Changes that together flip a prediction, if the cohort allows any, and what keeps it, if the usual does not."""

    importances: tuple[Importance, ...]
    sufficient: tuple[Sufficient, ...]


def explain(
    predictor: Predictor, behaviour: Behaviour, cohort: Behaviour, on_count: OnCount
) -> tuple[Explanation, ...]:
    """Explain everybody by what is usual in `cohort`; changes are checked to flip. Raises BundleError."""
    own, usual = predictor.scale.select(behaviour), CohortRange.of(predictor.scale.select(cohort))
    stages = count(1)

    def tell() -> None:
        on_count(next(stages), STAGES + 1)

    search = pose_search(predictor, own, usual)
    change = find_negatives(predictor, search, tell)
    targets = _apply_change(predictor, own, usual, change)
    before, after = (predictor.probability(each) >= 0.5 for each in (own, replace(own, values=targets)))
    marks = find_positives(predictor, search.start, search.missing, _standardise(predictor, usual.median))
    tell()
    explanations = []
    for row in range(len(own.students)):
        flips_to: Outcome = "fail" if before[row] else "pass"
        flipped = before[row] != after[row]
        importances = _list_changes(predictor, change[row], targets[row], flips_to) if flipped else ()
        cells = torch.nonzero(marks[row]).tolist()
        sufficient = tuple(Sufficient(week + 1, predictor.features[column]) for week, column in cells)
        explanations.append(Explanation(importances, sufficient))
    return tuple(explanations)


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


def _standardise(predictor: Predictor, raw: Floats) -> Tensor:
    """Raw values (weeks, features) as deviations; 0, the mean of the earlier run, where too few have one."""
    scale = predictor.scale
    return torch.from_numpy(np.nan_to_num((raw - scale.mean) / scale.deviation, nan=0.0)).float()


def _list_changes(predictor: Predictor, change: Tensor, targets: Floats, flips_to: Outcome) -> tuple[Importance, ...]:
    found = [
        Importance(
            week=week + 1,
            feature=predictor.features[column],
            importance=round(abs(float(change[week, column])), 3),
            direction="increase" if change[week, column] > 0.0 else "decrease",
            flips_to=flips_to,
            target=round(float(targets[week, column]), DIGITS),
        )
        for week, column in torch.nonzero(change).tolist()
    ]
    # By week and name where the size is the same, so that the order never depends on how it was found.
    return tuple(sorted(found, key=lambda each: (-each.importance, each.week, each.feature)))
