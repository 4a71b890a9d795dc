"""Pertinent negatives and positives: the change that flips a prediction, and the behaviour that keeps it."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from data.contrast.descent import Search, find_cheapest
from data.predictor.model import Predictor

LEAST = 0.05  # Deviations: smaller changes are noise, not findings
ENOUGH = 6  # Feature-weeks: with fewer, large changes are made dearer, so that more behaviours share the change
DENSER = (6.0, 40.0)  # So many times as dear
MOST = (12, 18, 24)  # Feature-weeks: first named in so many, and only where that is not enough in more
STAGES = 1 + len(DENSER) + len(MOST)  # How often `find_negatives` calls `tell`
CLEAR = 1.1  # Log-odds, 3 to 1: a prediction stays when it is as clear as that, even if nearly everybody's would
OWN = 0.9  # A prediction less clear than that stays when it keeps this share of its own log-odds
SPREAD = 0.05


def find_negatives(predictor: Predictor, search: Search, tell: Callable[[], object]) -> Tensor:
    """The least costly change (students, weeks, features), 0 or LEAST a cell, that flips a prediction; 0: none."""
    wide, possible = find_cheapest(predictor, search)
    tell()
    for factor in DENSER:
        rows = torch.nonzero(possible & (_count(wide) < ENOUGH)).squeeze(1)
        some = search.select(rows)
        more, reached = find_cheapest(predictor, replace(some, spread=some.spread * factor))
        better = reached & (_count(more) <= MOST[0])
        wide[rows[better]] = more[better]
        tell()
    change = _drop_small_changes(wide)
    found = possible & search.reaches(predictor, change) & (_count(change) <= MOST[0])
    for most in MOST:
        for measure_effect in (_measure_effect, _measure_reach):
            rows = torch.nonzero(possible & ~found).squeeze(1)
            some = search.select(rows)
            cells = _mark_largest(measure_effect(predictor, some, wide[rows]), most)
            fewer, _ = find_cheapest(predictor, some.restrict(cells))
            change[rows] = _drop_small_changes(fewer)
            found[rows] = some.reaches(predictor, change[rows])
        tell()
    return change * found[:, None, None]


def _measure_effect(predictor: Predictor, search: Search, wide: Tensor) -> Tensor:
    """What the cells of a change do for the margin, in log-odds (students, weeks, features)."""
    return search.differentiate(predictor, wide)[1] * wide


def _measure_reach(predictor: Predictor, search: Search, wide: Tensor) -> Tensor:
    """What the cells could do at their bounds, cheap or not: for those who are far from the boundary."""
    _, slope = search.differentiate(predictor, torch.zeros_like(wide))
    return torch.maximum(slope * search.high, slope * search.low)


def _drop_small_changes(change: Tensor) -> Tensor:
    return torch.where(change.abs() < LEAST, 0.0, change)


def _count(change: Tensor) -> Tensor:
    """How many feature-weeks a change names (students,)."""
    return (change.abs() >= LEAST).flatten(1).sum(dim=1)


def _mark_largest(effect: Tensor, most: int) -> Tensor:
    """Marks of each student's changes that have the largest effect on the logit, at most so many."""
    flat = effect.flatten(1)
    places = flat.topk(min(most, flat.shape[1]), dim=1).indices
    marks = torch.zeros_like(flat, dtype=torch.bool).scatter(1, places, True)
    return (marks & (flat > 0.0)).view_as(effect)


def find_positives(predictor: Predictor, scaled: Tensor, missing: Tensor, usual: Tensor) -> Tensor:
    """Marks of the feature-weeks (students, weeks, features) that suffice with the usual (weeks, features) elsewhere.

    The prediction then clearly stays; what is missing stays missing. No marks where the usual alone is enough.
    """
    background = torch.where(missing > 0.0, 0.0, usual)
    own = scaled - background
    with torch.no_grad():
        logit = predictor.logit(scaled, missing)
    search = Search(
        start=background,
        missing=missing,
        toward=torch.where(logit >= 0.0, 1.0, -1.0),
        need=(OWN * logit.abs()).clamp(max=CLEAR),
        low=own.clamp(max=0.0),
        high=own.clamp(min=0.0),
        up=torch.ones_like(own),
        down=torch.ones_like(own),
        spread=torch.full_like(logit, SPREAD),
    )
    part, found = find_cheapest(predictor, search)
    marks = (part.abs() >= LEAST) & found[:, None, None]
    return _prune(predictor, search, own, part, marks & search.reaches(predictor, own * marks)[:, None, None])


def _prune(predictor: Predictor, search: Search, own: Tensor, part: Tensor, marks: Tensor) -> Tensor:
    """Without the marks, from the smallest part up, that are not needed when the others stand in full."""
    size = torch.where(marks, part.abs(), torch.inf).flatten(1)
    order, kept = size.argsort(dim=1), marks.flatten(1).clone()
    students = torch.arange(len(kept))
    for place in range(int(kept.sum(dim=1).max()) if len(kept) else 0):
        fewer = kept.clone()
        fewer[students, order[:, place]] = False
        enough = search.reaches(predictor, own * fewer.view_as(own))
        kept = torch.where(enough[:, None], fewer, kept)
    return kept.view_as(marks)
