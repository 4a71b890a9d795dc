"""Two simpler ways to flip a prediction, to compare with: one cell at a time, and cells at random."""

import torch
from torch import Tensor

from data.contrast.negatives import LEAST
from data.contrast.search import Search
from data.predictor.predictor import Predictor


def greedy(predictor: Predictor, search: Search, most: int) -> tuple[Tensor, Tensor]:
    """Set the cell to a bound that moves the logit most, again and again until the margin is reached.

    At most so many cells. A change for each student (students, weeks, features), and marks of those that
    reach the margin; costs and spread are not looked at.
    """
    change = torch.zeros_like(search.start)
    for _ in range(most):
        rows = torch.nonzero(~search.reached(predictor, change)).squeeze(1)
        if not len(rows):
            break
        change[rows] = _best_cell(predictor, search.of(rows), change[rows])
    return change, search.reached(predictor, change)


def _best_cell(predictor: Predictor, search: Search, change: Tensor) -> Tensor:
    """The change with the one cell more, not changed so far, that moves the logit most."""
    best, margin = change, search.margin(predictor, change)
    weeks, features = change.shape[1:]
    for week, feature in torch.cartesian_prod(torch.arange(weeks), torch.arange(features)).tolist():
        for bound in (search.low, search.high):
            tried = change.clone()
            tried[:, week, feature] = bound[:, week, feature]
            with torch.no_grad():
                moved = search.margin(predictor, tried)
            usable = (bound[:, week, feature].abs() >= LEAST) & (change[:, week, feature] == 0.0)
            better = usable & (moved > margin)
            best = torch.where(better[:, None, None], tried, best)
            margin = torch.where(better, moved, margin)
    return best


def at_random(predictor: Predictor, search: Search, most: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Set random cells to a random value within the bounds, one more each time, until the margin is reached.

    At most so many cells; returns as `greedy`.
    """
    draw = torch.Generator().manual_seed(seed)
    cells = search.start.flatten(1).shape[1]
    values = search.low + (search.high - search.low) * torch.rand(search.start.shape, generator=draw)
    values = torch.where(values.abs() >= LEAST, values, 0.0).flatten(1)
    # Of the cells that can change, in random order.
    order = (torch.rand(values.shape, generator=draw) + (values == 0.0)).argsort(dim=1)
    change, found = torch.zeros_like(values), torch.zeros(len(values), dtype=torch.bool)
    for place in range(min(most, cells)):
        column = order[:, place : place + 1]
        more = change.scatter(1, column, values.gather(1, column))
        change = torch.where(found[:, None], change, more)
        found |= search.reached(predictor, change.view_as(search.start))
    return change.view_as(search.start), found
