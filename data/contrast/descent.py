"""The method: FISTA with an elastic net, many students as one tensor, each with a price of its own.

For a price c the change minimises c * hinge(margin) + elastic net within bounds (Dhurandhar et al. 2018,
eq. 1 without the auto-encoder). Shrinking, dividing and clipping after each step is the exact proximal step
of the elastic net with bounds (Beck and Teboulle 2009); momentum starts anew, student by student, when it
points uphill (O'Donoghue and Candès 2015). The hinge is rounded where it bends, over ROUND logits, which
keeps steps from bouncing between its sides. The price is bisected: the lowest that reaches the margin.
No student's numbers enter another's, so that an explanation does not depend on who else is explained.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from data.contrast.search import Search
from data.predictor.predictor import Predictor

TURNS = 60
"""Steps for one price at most."""
STILL = 5e-3
"""Deviations: a student whose largest step is smaller has arrived."""
ROUND = 0.2
CURVATURE = 0.5
"""Of the logit, per squared deviation: bounds the steps where the slope is small."""
LEAST_PRICE, MOST_PRICE = 0.5, 5000.0
DEARER = 2.0
LONG = 1e4
PRICES = 7
"""Prices tried: some to find one that is high enough and one that is not, the others to bisect."""


@dataclass(slots=True)
class _Bisection:
    """The highest price known to be too low and the lowest known to be enough (students,)."""

    low: Tensor
    high: Tensor
    price: Tensor

    @classmethod
    def start(cls, price: Tensor) -> "_Bisection":
        return cls(torch.zeros_like(price), torch.full_like(price, torch.inf), price)

    def learn(self, enough: Tensor) -> None:
        self.high = torch.where(enough, self.price, self.high)
        self.low = torch.where(enough, self.low, self.price)
        middle = torch.where(self.low > 0.0, (self.low * self.high).sqrt(), self.high / DEARER)
        self.price = torch.where(self.high.isinf(), self.low * DEARER, middle)


def cheapest(predictor: Predictor, search: Search) -> tuple[Tensor, Tensor]:
    """The change found for each student (students, weeks, features), 0 without, and marks of those found."""
    best = torch.zeros_like(search.start)
    found = search.reached(predictor, best)
    rows = torch.nonzero(~found & _possible(predictor, search)).squeeze(1)
    sought, change = search.of(rows), best[rows]
    prices = _Bisection.start(_linear_price(predictor, sought))
    for _ in range(PRICES):
        change = descend(predictor, sought, prices.price, change)
        enough = sought.reached(predictor, change)
        best[rows[enough]] = change[enough]
        found[rows[enough]] = True
        prices.learn(enough)
    return best, found


def _linear_price(predictor: Predictor, search: Search) -> Tensor:
    """The price (students,) that would do if the logit were as steep everywhere as at `start`: a first guess."""
    start = torch.zeros_like(search.start).requires_grad_()
    margin = search.margin(predictor, start)
    (slope,) = torch.autograd.grad(margin.sum(), start)
    low, high = torch.full_like(search.need, LEAST_PRICE), torch.full_like(search.need, MOST_PRICE)
    for _ in range(20):
        middle = (low * high).sqrt()
        # One step so long that the proximal step leaves nothing but the minimum of the linear problem.
        gain = slope * _nearest(search, LONG * _cells(middle) * slope, torch.tensor(LONG))
        enough = margin.detach() + gain.flatten(1).sum(dim=1) >= search.need
        low, high = torch.where(enough, low, middle), torch.where(enough, middle, high)
    return high


def _possible(predictor: Predictor, search: Search) -> Tensor:
    """Students who have any change that may be made."""
    return ((search.high > 0.0) | (search.low < 0.0)).flatten(1).any(dim=1)


def descend(predictor: Predictor, search: Search, price: Tensor, begin: Tensor) -> Tensor:
    """The change that minimises price (students,) * hinge + elastic net, sought from `begin`."""
    change, ahead, turn = begin.clone(), begin.clone(), torch.zeros(len(begin))
    rows = torch.arange(len(begin))
    for _ in range(TURNS):
        if not len(rows):
            break
        some, here = search.of(rows), ahead[rows]
        slope, step = _slope(predictor, some, price[rows], here)
        moved = _nearest(some, here - step * slope, step)
        moment = moved - change[rows]
        uphill = ((here - moved) * moment).flatten(1).sum(dim=1) > 0.0
        turn[rows] = torch.where(uphill, 0.0, turn[rows] + 1.0)
        ahead[rows] = moved + _cells(turn[rows] / (turn[rows] + 3.0)) * moment
        change[rows] = moved
        rows = rows[moment.abs().flatten(1).amax(dim=1) > STILL]
    return change


def _slope(predictor: Predictor, search: Search, price: Tensor, change: Tensor) -> tuple[Tensor, Tensor]:
    """Slope of price * hinge at a change, and the step (students, 1, 1) that is safe with it."""
    change = change.detach().requires_grad_()
    margin = search.margin(predictor, change)
    (slope,) = torch.autograd.grad(margin.sum(), change)
    # Of the rounded hinge: 0 from need + ROUND on, 1 up to need, straight in between.
    pull = ((search.need + ROUND - margin.detach()) / ROUND).clamp(0.0, 1.0)
    steep = slope.square().flatten(1).sum(dim=1) / ROUND + CURVATURE
    return -_cells(price * pull) * slope, _cells(1.0 / (price * steep))


def _nearest(search: Search, change: Tensor, step: Tensor) -> Tensor:
    """The proximal step of the elastic net within the bounds."""
    shrunk = torch.relu(change - step * search.up) - torch.relu(-change - step * search.down)
    return (shrunk / (1.0 + step * _cells(search.spread))).clamp(search.low, search.high)


def _cells(each: Tensor) -> Tensor:
    return each[:, None, None]
