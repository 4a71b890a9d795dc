"""What a change costs: cheap is what a student would call sensible (cf. Ustun et al. 2019 on recourse).

Going towards what is usual in the class is cheaper the further away from it a student is; going away from
it is dear. To fail, a student who is predicted to pass would have to lose what sets them apart: the same
rule. The past can hardly be made good, so the first weeks cost more. And the third week of the same
feature tells less than a first week of another.
"""

import torch
from torch import Tensor

from data.catalogue import load_catalogue

FIRST_WEEK, LAST_WEEK = 1.6, 1.0
NEAR = 0.4
"""Deviations: a value this close to the median costs twice as much as one that is twice as far again."""
AWAY = 3.0
UNSURE = 2.0
"""For features of which neither more nor less can be advised."""
REPEATS = (1.0, 1.3, 1.8, 2.6, 4.0)
"""By rank among the weeks of one feature; the last also for all further weeks."""


def costs(room: Tensor, features: tuple[str, ...], slope: Tensor) -> tuple[Tensor, Tensor]:
    """Costs of one deviation up and down (students, weeks, features).

    `room` is the class's median minus the student's value, in deviations; `slope` of the logit, per deviation.
    """
    plain = _weeks(room.shape[1])[:, None] * _features(features)
    near = 1.0 / (NEAR + room.abs())
    far = AWAY / NEAR
    up = torch.where(room > 0.0, near, far) * plain
    down = torch.where(room < 0.0, near, far) * plain
    rank = (slope.abs() / torch.minimum(up, down)).argsort(dim=1, descending=True).argsort(dim=1)
    repeat = torch.tensor(REPEATS)[rank.clamp(max=len(REPEATS) - 1)]
    return up * repeat, down * repeat


def _weeks(weeks: int) -> Tensor:
    return torch.linspace(FIRST_WEEK, LAST_WEEK, weeks) if weeks > 1 else torch.ones(1)


def _features(features: tuple[str, ...]) -> Tensor:
    catalogue = load_catalogue()
    return torch.tensor([UNSURE if catalogue.by_name(name).good == "depends" else 1.0 for name in features])
