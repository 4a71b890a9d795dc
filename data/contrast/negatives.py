"""Pertinent negatives: the least costly change that flips a prediction, told in a few feature-weeks."""

from collections.abc import Callable

import torch
from torch import Tensor

from data.contrast.descent import cheapest
from data.contrast.search import Search
from data.predictor.predictor import Predictor

LEAST = 0.05
"""Deviations: smaller changes are noise, not findings."""
ENOUGH = 6
"""Feature-weeks: with fewer, large changes are made dearer, so that more behaviours share the change."""
DENSER = (6.0, 40.0)
"""So many times as dear."""
MOST = (12, 18, 24)
"""Feature-weeks: first told in so many, and only where that is not enough in more."""

Told = Callable[[], object]
STAGES = 1 + len(DENSER) + len(MOST)
"""How often `told` is called."""


def negatives(predictor: Predictor, search: Search, told: Told) -> tuple[Tensor, Tensor]:
    """A change for each student (students, weeks, features), 0 where none was found, and marks of those found.

    Every change that is not 0 is at least LEAST deviations, and the margin is reached with these alone.
    """
    wide, possible = cheapest(predictor, search)
    told()
    for factor in DENSER:
        rows = torch.nonzero(possible & (_count(wide) < ENOUGH)).squeeze(1)
        denser = search.of(rows).spread_by(torch.full((len(rows),), factor))
        more, reached = cheapest(predictor, denser)
        better = reached & (_count(more) <= MOST[0])
        wide[rows[better]] = more[better]
        told()
    change = _without_crumbs(wide)
    found = possible & search.reached(predictor, change) & (_count(change) <= MOST[0])
    for most in MOST:
        for choice in (_effect, _reach):
            rows = torch.nonzero(possible & ~found).squeeze(1)
            some = search.of(rows)
            cells = _largest(choice(predictor, some, wide[rows]), most)
            change[rows], found[rows] = _retold(predictor, some.within(cells))
        told()
    return change * found[:, None, None], found


def _effect(predictor: Predictor, search: Search, wide: Tensor) -> Tensor:
    """What the cells of a change do for the margin, in log-odds (students, weeks, features)."""
    return search.slope(predictor, wide) * wide


def _reach(predictor: Predictor, search: Search, wide: Tensor) -> Tensor:
    """What the cells could do at their bounds, cheap or not: for those who are far from the boundary."""
    slope = search.slope(predictor, torch.zeros_like(wide))
    return torch.maximum(slope * search.high, slope * search.low)


def _retold(predictor: Predictor, search: Search) -> tuple[Tensor, Tensor]:
    """The change within the search's cells, its crumbs dropped, and marks of those that reach the margin."""
    change = _without_crumbs(cheapest(predictor, search)[0])
    return change, search.reached(predictor, change)


def _without_crumbs(change: Tensor) -> Tensor:
    return torch.where(change.abs() < LEAST, 0.0, change)


def _count(change: Tensor) -> Tensor:
    """How many feature-weeks a change names (students,)."""
    return (change.abs() >= LEAST).flatten(1).sum(dim=1)


def _largest(effect: Tensor, most: int) -> Tensor:
    """Marks of each student's changes that have the largest effect on the logit, at most so many."""
    flat = effect.flatten(1)
    places = flat.topk(min(most, flat.shape[1]), dim=1).indices
    marks = torch.zeros_like(flat, dtype=torch.bool).scatter(1, places, True)
    return (marks & (flat > 0.0)).view_as(effect)
