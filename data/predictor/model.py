"""A fitted predictor and the networks it is made of."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from data.behaviour import Behaviour, Floats
from data.predictor.inputs import Scale


class Predictor:
    """Predicts passing from the features and weeks it was fitted on.

    `members` map deviations and missing marks (students, weeks, features) to logits (students,). Their mean, divided
    by `temperature`, is the model's logit; a temperature above 1 makes the model less sure.
    """

    def __init__(self, scale: Scale, members: Sequence[nn.Module], temperature: float = 1.0) -> None:
        self.scale = scale
        self.members = tuple(member.eval().requires_grad_(False) for member in members)
        self.temperature = temperature

    @property
    def features(self) -> tuple[str, ...]:
        """The features it reads, in order."""
        return self.scale.features

    def probability(self, behaviour: Behaviour) -> Floats:
        """Probability of passing (students,), 0 to 1. Raises BundleError for other features or weeks."""
        with torch.no_grad():
            return torch.sigmoid(self.logit(*self.standardise(behaviour)).double()).numpy()

    def logit(self, scaled: Tensor, missing: Tensor) -> Tensor:
        """Log-odds of passing (students,), differentiable with respect to `scaled`."""
        total = sum((member(scaled, missing) for member in self.members), torch.zeros(len(scaled)))
        return total / (len(self.members) * self.temperature)

    def standardise(self, behaviour: Behaviour) -> tuple[Tensor, Tensor]:
        """Deviations (students, weeks, features), 0 where missing, and marks (1) of what is missing."""
        values, missing = self.scale.standardise(behaviour)
        return torch.from_numpy(values).float(), torch.from_numpy(missing).float()


class BiLSTM(nn.Module):
    """Deviations and missing marks (students, weeks, features) to a logit of passing (students,).

    Two LSTMs, each reading the weeks forwards and backwards. After the published predictor (BiLSTM 64, BiLSTM 32, one
    output), with `width` and half of it.
    """

    def __init__(self, features: int, width: int, dropout: float) -> None:
        super().__init__()
        self.first = nn.LSTM(2 * features, width, batch_first=True, bidirectional=True)
        self.second = nn.LSTM(2 * width, width // 2, batch_first=True, bidirectional=True)
        self.score = nn.Linear(width // 2 * 2, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, scaled: Tensor, missing: Tensor) -> Tensor:
        """The logits."""
        # Times and counts have long tails. Nearly the identity up to two deviations, then ever flatter, never flat.
        tamed = 2.0 * torch.asinh(scaled / 2.0)
        weeks, _ = self.first(self.dropout(torch.cat([tamed, missing], dim=-1)))
        _, (ends, _) = self.second(self.dropout(weeks))
        logits: Tensor = self.score(self.dropout(torch.cat([ends[0], ends[1]], dim=-1)))
        return logits.squeeze(-1)


class WeightedSum(nn.Module):
    """A weighted sum of deviations and missing marks (students, weeks, features): logistic regression's logit."""

    def __init__(self, weeks: int, features: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(weeks, features))
        self.missing_weight = nn.Parameter(torch.zeros(weeks, features))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, scaled: Tensor, missing: Tensor) -> Tensor:
        """The logits (students,)."""
        return (scaled * self.weight + missing * self.missing_weight).sum(dim=(1, 2)) + self.bias
