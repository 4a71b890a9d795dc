"""Solves a search: FISTA with an elastic net, many students as one tensor, each with a price of its own.

For a price c the change minimises c * hinge(margin) + elastic net within bounds (Dhurandhar et al. 2018, eq. 1 without
the auto-encoder), with momentum that starts anew when it points uphill (O'Donoghue and Candès 2015). The hinge is
rounded over ROUND logits. The lowest price that reaches the margin is bisected. No student's numbers enter another's.
"""

from dataclasses import dataclass, fields, replace

import torch
from torch import Tensor

from data.predictor.model import Predictor

TURNS = 60  # Steps for one price at most
STILL = 5e-3  # Deviations: a student whose largest step is smaller has arrived
ROUND = 0.2
CURVATURE = 0.5  # Of the logit, per squared deviation: bounds the steps where the slope is small
LEAST_PRICE, MOST_PRICE = 0.5, 5000.0
DEARER = 2.0
LONG = 1e4
PRICES = 7  # Prices tried: some to find one that is high enough and one that is not, the others to bisect


@dataclass(frozen=True, slots=True)
class Search:
    """One search per student. Changes are deviations (students, weeks, features), added to `start`.

    Sought is the change within `low`..`high` (low <= 0 <= high) with the least elastic net
    `up` * increase + `down` * decrease + `spread` / 2 * change^2, summed over cells, for which
    `toward` * logit >= `need`. `toward` is +1 for pass and -1 for fail; `toward`, `need` and `spread` (students,).
    """

    start: Tensor
    missing: Tensor
    toward: Tensor
    need: Tensor
    low: Tensor
    high: Tensor
    up: Tensor
    down: Tensor
    spread: Tensor

    def select(self, rows: Tensor) -> "Search":
        """The searches of some students (indices or marks)."""
        return Search(*(getattr(self, each.name)[rows] for each in fields(self)))

    def restrict(self, usable: Tensor) -> "Search":
        """The same with no change but in usable cells (marks: students, weeks, features)."""
        return replace(self, low=self.low * usable, high=self.high * usable)

    def margin(self, predictor: Predictor, change: Tensor) -> Tensor:
        """How far the logit is on the sought side after a change (students,)."""
        return self.toward * predictor.logit(self.start + change, self.missing)

    def differentiate(self, predictor: Predictor, change: Tensor) -> tuple[Tensor, Tensor]:
        """The margin at a change (students,), and its slope per deviation (students, weeks, features)."""
        at = change.detach().requires_grad_()
        margin = self.margin(predictor, at)
        (slope,) = torch.autograd.grad(margin.sum(), at)
        return margin.detach(), slope

    def reaches(self, predictor: Predictor, change: Tensor) -> Tensor:
        """Marks of the students whose change does what is sought (students,)."""
        with torch.no_grad():
            return self.margin(predictor, change) >= self.need


def find_cheapest(predictor: Predictor, search: Search) -> tuple[Tensor, Tensor]:
    """The change found for each student (students, weeks, features), 0 without, and marks of those found."""
    best = torch.zeros_like(search.start)
    found = search.reaches(predictor, best)
    possible = ((search.high > 0.0) | (search.low < 0.0)).flatten(1).any(dim=1)
    rows = torch.nonzero(~found & possible).squeeze(1)
    some, change = search.select(rows), best[rows]
    price = _guess_price(predictor, some)
    # The highest price known to be too low, and the lowest known to be enough (students,).
    low, high = torch.zeros_like(price), torch.full_like(price, torch.inf)
    for _ in range(PRICES):
        change = _descend(predictor, some, price, change)
        enough = some.reaches(predictor, change)
        best[rows[enough]] = change[enough]
        found[rows[enough]] = True
        low, high = torch.where(enough, low, price), torch.where(enough, price, high)
        middle = torch.where(low > 0.0, (low * high).sqrt(), high / DEARER)
        price = torch.where(high.isinf(), low * DEARER, middle)
    return best, found


def _guess_price(predictor: Predictor, search: Search) -> Tensor:
    """The price (students,) that would do if the logit were as steep everywhere as at `start`: a first guess."""
    margin, slope = search.differentiate(predictor, torch.zeros_like(search.start))
    low, high = torch.full_like(search.need, LEAST_PRICE), torch.full_like(search.need, MOST_PRICE)
    for _ in range(20):
        middle = (low * high).sqrt()
        # One step so long that the proximal step leaves nothing but the minimum of the linear problem.
        gain = slope * _shrink(search, LONG * _cells(middle) * slope, torch.tensor(LONG))
        enough = margin + gain.flatten(1).sum(dim=1) >= search.need
        low, high = torch.where(enough, low, middle), torch.where(enough, middle, high)
    return high


def _descend(predictor: Predictor, search: Search, price: Tensor, begin: Tensor) -> Tensor:
    """The change that minimises price (students,) * hinge + elastic net, sought from `begin`."""
    change, ahead, turn = begin.clone(), begin.clone(), torch.zeros(len(begin))
    rows = torch.arange(len(begin))
    for _ in range(TURNS):
        if not len(rows):
            break
        some, here = search.select(rows), ahead[rows]
        slope, step = _find_step(predictor, some, price[rows], here)
        moved = _shrink(some, here - step * slope, step)
        moment = moved - change[rows]
        uphill = ((here - moved) * moment).flatten(1).sum(dim=1) > 0.0
        turn[rows] = torch.where(uphill, 0.0, turn[rows] + 1.0)
        ahead[rows] = moved + _cells(turn[rows] / (turn[rows] + 3.0)) * moment
        change[rows] = moved
        rows = rows[moment.abs().flatten(1).amax(dim=1) > STILL]
    return change


def _find_step(predictor: Predictor, search: Search, price: Tensor, change: Tensor) -> tuple[Tensor, Tensor]:
    """Slope of price * hinge at a change, and the step (students, 1, 1) that is safe with it."""
    margin, slope = search.differentiate(predictor, change)
    # Of the rounded hinge: 0 from need + ROUND on, 1 up to need, straight in between.
    pull = ((search.need + ROUND - margin) / ROUND).clamp(0.0, 1.0)
    steep = slope.square().flatten(1).sum(dim=1) / ROUND + CURVATURE
    return -_cells(price * pull) * slope, _cells(1.0 / (price * steep))


def _shrink(search: Search, change: Tensor, step: Tensor) -> Tensor:
    """The proximal step of the elastic net within the bounds."""
    shrunk = torch.relu(change - step * search.up) - torch.relu(-change - step * search.down)
    return (shrunk / (1.0 + step * _cells(search.spread))).clamp(search.low, search.high)


def _cells(each: Tensor) -> Tensor:
    return each[:, None, None]
