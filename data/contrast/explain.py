"""Explains the predictions of a whole course at once."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from data.behaviour import Behaviour, Floats
from data.contrast.cost import costs
from data.contrast.explanation import Change, Explanation
from data.contrast.negatives import STAGES, negatives
from data.contrast.positives import positives
from data.contrast.search import Search
from data.contrast.seen import Range
from data.predictor.predictor import Predictor

MARGIN = 0.1
"""Log-odds by which a changed prediction clears the boundary: 52.5 %."""
SPREAD = 0.1
BESIDE = 1e-4
"""Deviations."""

Progress = Callable[[int, int], object]


def explain(
    predictor: Predictor, behaviour: Behaviour, seen: Behaviour | Range, progress: Progress | None = None
) -> tuple[Explanation, ...]:
    """One explanation per student, in order; `seen` is the cohort that says what is usual and what is believable.

    Values stay within what is seen, missing ones are never changed, and every change is checked: written into
    the raw values and predicted again, the prediction flips. `progress` is told the stages done and all of
    them. The same students and model give the same explanations. Raises BundleError when the behaviour lacks
    features or weeks that the model reads.
    """
    own = predictor.scale.taken(behaviour)
    view = (Range.of(seen) if isinstance(seen, Behaviour) else seen).only(predictor.features)
    done = 0

    def told() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, STAGES + 1)

    search = searching(predictor, own, view)
    change, _ = negatives(predictor, search, told)
    targets = targets_of(predictor, own, view, change)
    flipped = flips(predictor, own, targets)
    usual = _deviations(predictor, view.median)
    marks = positives(predictor, search.start, search.missing, usual)
    told()
    return tuple(
        Explanation(
            "pass" if search.toward[row] > 0.0 else "fail",
            _changes(predictor, change[row], targets[row]) if flipped[row] else (),
            _cells(predictor, marks[row]),
        )
        for row in range(len(own.students))
    )


def searching(predictor: Predictor, own: Behaviour, view: Range) -> Search:
    """What is looked for: the other prediction, within what is seen."""
    scaled, missing = predictor.scaled(own)
    low, median, high = (_deviations(predictor, part) for part in (view.low, view.median, view.high))
    free = 1.0 - missing
    logit, slope = _sloped(predictor, scaled, missing)
    up, down = costs((median - scaled) * free, predictor.features, slope)
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


def targets_of(predictor: Predictor, own: Behaviour, view: Range, change: Tensor) -> Floats:
    """Raw values after a change, exactly the student's own where nothing changes."""
    deviation = predictor.scale.deviation
    moved = own.values + change.double().numpy() * deviation
    # Single precision ends just beside a bound that was meant: 0.00000003 videos.
    for bound in (np.fmin(view.low, own.values), np.fmax(view.high, own.values)):
        moved = np.where(np.abs(moved - bound) < BESIDE * deviation, bound, moved)
    return np.where(change.numpy() != 0.0, moved, own.values)


def flips(predictor: Predictor, own: Behaviour, targets: Floats) -> Floats:
    """Marks of the students (students,) whose predicted class is another with the raw values `targets`."""
    before, after = (predictor.probability(each) >= 0.5 for each in (own, replace(own, values=targets)))
    return np.asarray(before != after)


def _sloped(predictor: Predictor, scaled: Tensor, missing: Tensor) -> tuple[Tensor, Tensor]:
    at = scaled.clone().requires_grad_()
    logit = predictor.logit(at, missing)
    (slope,) = torch.autograd.grad(logit.sum(), at)
    return logit.detach(), slope


def _deviations(predictor: Predictor, raw: Floats) -> Tensor:
    """Raw values (weeks, features) of what is seen; 0 where nobody has one, and so nobody's can change."""
    scale = predictor.scale
    return torch.from_numpy(np.nan_to_num((raw - scale.mean) / scale.deviation, nan=0.0)).float()


def _changes(predictor: Predictor, change: Tensor, targets: Floats) -> tuple[Change, ...]:
    found = [
        Change(week + 1, predictor.features[column], float(change[week, column]), float(targets[week, column]))
        for week, column in torch.nonzero(change).tolist()
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.change), each.week, each.feature)))


def _cells(predictor: Predictor, marks: Tensor) -> tuple[tuple[str, int], ...]:
    return tuple((predictor.features[column], week + 1) for week, column in torch.nonzero(marks).tolist())
