"""Keeps a model from learning that more of a good behaviour makes passing less likely.

In any cohort some good behaviour happens to go along with failing. Predictions hardly suffer from that; an
explanation would turn it into advice to study less. So training adds a penalty where the logit falls on the
way to behaviour that is better by the catalogue's `good`, at points between students (hints of monotonicity:
Sill and Abu-Mostafa 1997; penalties at points: Gupta et al. 2019).
"""

import torch
from torch import Tensor, nn

from data.catalogue import load_catalogue

CELLS = 2.0
"""Feature-weeks moved at once, on average."""
MOST = 1.5
SENSE = {"more": 1.0, "less": -1.0, "depends": 0.0}


def senses(features: tuple[str, ...]) -> Tensor:
    """Per feature +1 where more goes along with passing, -1 where less does, 0 where it depends."""
    catalogue = load_catalogue()
    return torch.tensor([SENSE[catalogue.by_name(name).good] for name in features])


def against(model: nn.Module, scaled: Tensor, missing: Tensor, sense: Tensor) -> Tensor:
    """How much, on average over students, the logit falls when some behaviour gets better (a scalar).

    Compared are points between each student and the one before in the batch with the same points after
    CELLS random feature-weeks moved the good way, each by up to MOST deviations.
    """
    between = scaled + torch.rand(len(scaled), 1, 1) * (scaled.roll(1, 0) - scaled)
    chosen = torch.rand_like(scaled) < CELLS / scaled[0].numel()
    better = between + chosen * (1.0 - missing) * sense * MOST * torch.rand_like(scaled)
    worse, good = model(torch.cat([between, better]), torch.cat([missing, missing])).chunk(2)
    return torch.relu(worse - good).mean()
