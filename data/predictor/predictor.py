"""A fitted model: the probability of passing, and the logit by which it is explained."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from data.behaviour import Behaviour, Floats
from data.predictor.scale import Scale


class Predictor:
    """Predicts passing from the features and weeks it was fitted on.

    `members` map deviations and missing marks (students, weeks, features) to logits (students,); their
    mean, divided by `temperature`, is the model's. Dividing by more than 1 makes it less sure of itself.
    """

    def __init__(self, scale: Scale, members: Sequence[nn.Module], temperature: float = 1.0) -> None:
        self.scale = scale
        self.members = tuple(member.eval().requires_grad_(False) for member in members)
        self.temperature = temperature

    @property
    def features(self) -> tuple[str, ...]:
        """What it reads, in order."""
        return self.scale.features

    @property
    def weeks(self) -> int:
        """How many weeks it reads, from week 1."""
        return self.scale.weeks

    def probability(self, behaviour: Behaviour) -> Floats:
        """Probability of passing (students,), 0..1; raises BundleError for other features or weeks."""
        with torch.no_grad():
            return torch.sigmoid(self.logit(*self.scaled(behaviour)).double()).numpy()

    def logit(self, scaled: Tensor, missing: Tensor) -> Tensor:
        """Log-odds of passing (students,), differentiable with respect to `scaled`."""
        total = sum((member(scaled, missing) for member in self.members), torch.zeros(len(scaled)))
        return total / (len(self.members) * self.temperature)

    def scaled(self, behaviour: Behaviour) -> tuple[Tensor, Tensor]:
        """Deviations from the mean of the cohort fitted on, 0 where missing, and marks (1) of what is missing."""
        values, missing = self.scale.scaled(behaviour)
        return torch.from_numpy(values).float(), torch.from_numpy(missing).float()

    def raw(self, scaled: Tensor, missing: Tensor) -> Floats:
        """Back to raw values, NaN where missing."""
        return self.scale.raw(scaled.double().numpy(), missing.double().numpy())
