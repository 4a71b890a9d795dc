import numpy as np
import torch

from data.behaviour import Behaviour
from data.contrast.plausibility import CohortRange, price_changes
from data.course import LEAST_CLASS

MORE, DEPENDS = "NumberOfSessions", "StdTimeSessions"


def of_one_week(room: float, feature: str = MORE) -> tuple[float, float]:
    """Costs up and down of one feature in a course of one week."""
    up, down = price_changes(torch.full((1, 1, 1), room), (feature,), torch.ones(1, 1, 1))
    return float(up), float(down)


def test_towards_the_usual_is_cheap_and_the_cheaper_the_further_away_one_is() -> None:
    below, far_below, above = of_one_week(0.5), of_one_week(2.0), of_one_week(-0.5)
    assert below[0] < below[1]
    assert above == below[::-1]
    assert far_below[0] < below[0]
    assert far_below[1] == below[1]


def test_what_cannot_be_advised_on_is_dearer() -> None:
    assert of_one_week(1.0, DEPENDS)[0] > of_one_week(1.0)[0]


def test_the_past_is_dearer() -> None:
    slope = torch.ones(1, 2, 1)
    slope[:, 1] = 2.0
    up, _ = price_changes(torch.ones(1, 2, 1), (MORE,), slope)
    # Each the first of its feature: with the larger effect, the last week is not a repeat.
    first = price_changes(torch.ones(1, 2, 1), (MORE,), slope.flip(1))[0][0, 0]
    assert first > up[0, 1]


def test_the_weeks_of_one_feature_get_dearer_one_by_one_the_most_useful_first() -> None:
    slope = torch.tensor([0.1, 5.0, 0.2, 0.4, 0.3, 0.05])[None, :, None].expand(1, 6, 2)
    up, _ = price_changes(torch.ones(1, 6, 2), (MORE, DEPENDS), slope)
    plain = up[0, :, 0] / torch.linspace(1.6, 1.0, 6)
    order = plain.argsort(stable=True).tolist()
    assert order[:4] == [1, 3, 4, 2]
    # From the fifth on they are as dear as the fifth.
    assert torch.isclose(plain[order[4]], plain[order[5]])
    assert torch.allclose(up[0, :, 1] / up[0, :, 0], torch.tensor(2.0))


def test_a_range_leads_to_nothing_that_only_a_few_did() -> None:
    values = np.full((9, 2, 1), np.nan)
    values[:LEAST_CLASS, 0] = 4.0
    values[: LEAST_CLASS - 1, 1] = 4.0
    cohort = CohortRange.of(Behaviour(tuple("abcdefghi"), (MORE,), values))
    for part in (cohort.low, cohort.median, cohort.high):
        assert part[0, 0] == 4.0 and np.isnan(part[1, 0])
