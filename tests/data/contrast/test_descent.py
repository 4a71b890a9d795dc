from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from data.contrast.descent import Search, find_cheapest
from data.contrast.explain import pose_search
from data.contrast.plausibility import CohortRange
from tests.data.contrast.lines import WEIGHT, a_class, a_line

MODEL = a_line(a_class(), WEIGHT)


def searches() -> Search:
    own = a_class()
    return pose_search(MODEL, own, CohortRange.of(own))


def closed_form(search: Search, row: int) -> np.ndarray:
    """The best change of one student for a linear logit: sizes clip((price * gain - cost) / spread, 0, room).

    The price is the least that reaches the margin, found by bisection.
    """
    way = float(search.toward[row]) * np.sign(WEIGHT)
    cost = np.where(way > 0, search.up[row].numpy(), search.down[row].numpy())
    room = np.where(way > 0, search.high[row].numpy(), -search.low[row].numpy())
    gain = np.abs(WEIGHT)
    start = float(search.margin(MODEL, torch.zeros_like(search.start))[row])

    def sizes(price: float) -> np.ndarray:
        return np.asarray(np.clip((price * gain - cost) / float(search.spread[row]), 0, room))

    low, high = 0.0, 1e4
    for _ in range(60):
        middle = (low + high) / 2
        enough = start + (gain * sizes(middle)).sum() >= float(search.need[row])
        low, high = (low, middle) if enough else (middle, high)
    return np.asarray(way * sizes(high))


def price_of(search: Search, change: Tensor) -> Tensor:
    """The elastic net of changes (students,)."""
    linear = search.up * change.clamp(min=0) - search.down * change.clamp(max=0)
    return (linear + search.spread[:, None, None] / 2 * change**2).sum(dim=(1, 2))


def test_for_a_linear_logit_the_change_is_the_one_worked_out() -> None:
    search = searches()
    change, found = find_cheapest(MODEL, search)
    best = torch.tensor(np.array([closed_form(search, row) for row in range(len(found))])).float()
    reachable = search.reaches(MODEL, best + 1e-4 * best.sign())
    assert reachable.float().mean() > 0.9
    assert (found | ~reachable).all()
    paid, least = price_of(search, change)[found], price_of(search, best)[found]
    # The hinge is rounded over 0.2 log-odds: so much too far a change may go.
    assert (paid >= least - 0.01).all()
    assert float((paid / least).median()) < 1.1
    near = (change - best)[found].abs().flatten(1).amax(dim=1)
    assert float(near.median()) < 0.25


def test_the_margin_is_reached_and_hardly_overshot() -> None:
    search = searches()
    change, found = find_cheapest(MODEL, search)
    margin = search.margin(MODEL, change)[found]
    assert float(margin.min()) >= 0.1
    assert float(margin.max()) <= 0.35


def test_nothing_leaves_its_bounds_and_what_is_missing_stays() -> None:
    search = searches()
    change, _ = find_cheapest(MODEL, search)
    assert (change >= search.low).all() and (change <= search.high).all()
    assert (change[search.missing > 0] == 0).all()
    assert (change > 0).any() and (change < 0).any()


def test_who_cannot_be_flipped_is_not_found_and_left_as_they_are() -> None:
    search = searches().restrict(torch.zeros(3, 4, dtype=torch.bool))
    change, found = find_cheapest(MODEL, search)
    assert not found.any() and not change.any()


def test_a_search_depends_on_nobody_else() -> None:
    search = searches()
    together, found = find_cheapest(MODEL, search)
    rows = torch.tensor([7, 31, 90])
    alone, alone_found = find_cheapest(MODEL, search.select(rows))
    assert alone_found.tolist() == found[rows].tolist()
    torch.testing.assert_close(alone, together[rows], atol=1e-3, rtol=0)


@pytest.mark.parametrize("factor", [5.0, 50.0])
def test_dearer_large_changes_are_shared_by_more_cells(factor: float) -> None:
    search = searches()
    change, found = find_cheapest(MODEL, search)
    wider, also = find_cheapest(MODEL, replace(search, spread=search.spread * factor))
    both = found & also
    count = [(each[both].abs() >= 0.05).flatten(1).sum(dim=1).float().mean() for each in (change, wider)]
    assert count[1] > count[0] + 0.5
