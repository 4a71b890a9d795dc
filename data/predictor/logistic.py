"""The baseline: a logistic regression on the same deviations and missing marks."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from data.behaviour import Behaviour
from data.predictor.choice import choose
from data.predictor.predictor import Predictor
from data.predictor.scale import Scale

ROUNDS = 200
RIDGE = 0.02
"""L2 penalty on the weights, per student."""


class Linear(nn.Module):
    """A weighted sum of deviations and missing marks (students, weeks, features)."""

    def __init__(self, weeks: int, features: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(weeks, features))
        self.missing_weight = nn.Parameter(torch.zeros(weeks, features))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, scaled: Tensor, missing: Tensor) -> Tensor:
        """The logits (students,)."""
        return (scaled * self.weight + missing * self.missing_weight).sum(dim=(1, 2)) + self.bias


def fit_logistic(behaviour: Behaviour, passed: NDArray[np.bool_], ridge: float = RIDGE) -> Predictor:
    """Fit to students whose outcome is known; raises BundleError when no feature tells them apart."""
    scale = Scale.of(behaviour.only(choose(behaviour)))
    scaled, missing = (torch.from_numpy(array).float() for array in scale.scaled(behaviour))
    truth = torch.from_numpy(passed).float()
    model = Linear(*scale.mean.shape)
    optimiser = torch.optim.LBFGS(model.parameters(), max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        size = model.weight.square().sum() + model.missing_weight.square().sum()
        total = cross_entropy(model(scaled, missing), truth) + ridge / 2.0 * size
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return Predictor(scale, [model])
