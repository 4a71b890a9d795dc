"""Models whose logit is a weighted sum, so that what is the best change can be worked out otherwise."""

import numpy as np
import torch

from data.behaviour import Behaviour, Floats
from data.predictor.model import Predictor, Scale

FEATURES = ("NumberOfSessions", "DelayLecture", "CompetencyStrength", "StdTimeSessions")
WEEKS = 3


class WeightedSum(torch.nn.Module):
    """A weighted sum of deviations and missing marks (students, weeks, features)."""

    def __init__(self, weeks: int, features: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(weeks, features))
        self.missing_weight = torch.nn.Parameter(torch.zeros(weeks, features))
        self.bias = torch.nn.Parameter(torch.zeros(()))

    def forward(self, scaled: torch.Tensor, missing: torch.Tensor) -> torch.Tensor:
        return (scaled * self.weight + missing * self.missing_weight).sum(dim=(1, 2)) + self.bias


def a_class(count: int = 120, seed: int = 0) -> Behaviour:
    """Students with random behaviour, some values missing."""
    draw = np.random.default_rng(seed)
    shape = (count, WEEKS, len(FEATURES))
    raw = draw.normal(size=shape) * [2.0, 36_000.0, 0.2, 300.0] + [10.0, 90_000.0, 0.5, 900.0]
    raw = np.clip(raw, [0, -604_800, 0, 0], [np.inf, 604_800, 1, np.inf])
    raw[draw.random(shape) < 0.05] = np.nan
    return Behaviour(tuple(f"s{number}" for number in range(count)), FEATURES, raw)


def a_line(behaviour: Behaviour, weight: Floats, bias: float = 0.0) -> Predictor:
    """The logit is `bias` plus deviations times `weight` (weeks, features)."""
    model = WeightedSum(WEEKS, len(FEATURES))
    with torch.no_grad():
        model.weight.copy_(torch.as_tensor(weight).expand(WEEKS, -1))
        model.bias.fill_(bias)
    return Predictor(Scale.fit(behaviour), [model])


WEIGHT = np.array([0.6, -0.5, 0.4, 0.1]) * np.array([[0.8], [1.0], [1.2]])
