from dataclasses import replace

import numpy as np
import torch
from data.predictor.measure import against_sense

from data.predictor.monotone import against, senses
from data.predictor.training import fit
from tests.data.predictor.planted import FEATURES, QUICK, planted

# More sessions go along with failing, against the catalogue.
MISLEADING = np.array([-1.0, -1.5, 1.0, 1.0])


def test_the_senses_are_those_of_the_catalogue() -> None:
    assert senses(FEATURES).tolist() == [1, -1, 1, 0]


def test_a_misleading_cohort_does_not_teach_that_studying_less_helps() -> None:
    behaviour, passed = planted(500, truth=MISLEADING)
    free = fit(behaviour, passed, replace(QUICK, monotone=0.0))
    bound = fit(behaviour, passed, QUICK)
    assert against_sense(free, behaviour) > 0.2
    assert against_sense(bound, behaviour) < 0.02
    # What the catalogue leaves open may still be learned: longer, uneven sessions.
    at, missing = bound.scaled(behaviour)
    (slope,) = torch.autograd.grad(bound.logit(at.requires_grad_(), missing).sum(), at)
    assert slope[..., 3].mean() > 0.05


class Falling(torch.nn.Module):
    """A logit that falls with the first feature, and with the last."""

    def forward(self, scaled: torch.Tensor, missing: torch.Tensor) -> torch.Tensor:
        return -(scaled[..., 0] + scaled[..., 3]).sum(dim=1)


def test_only_known_cells_with_a_sense_are_held_against_a_model() -> None:
    torch.manual_seed(0)
    scaled, known = torch.zeros(2000, 3, 4), torch.zeros(2000, 3, 4)
    penalty = against(Falling(), scaled, known, senses(FEATURES))
    # Half of a deviation and a half, in each of 3 cells of 12 of which two are moved.
    assert 0.25 < float(penalty) < 0.5
    assert float(against(Falling(), scaled, torch.ones(2000, 3, 4), senses(FEATURES))) == 0
    assert float(against(Falling(), scaled, known, torch.zeros(4))) == 0
