"""What a model reads, as deviations from a cohort, and the networks that a fitted predictor is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue
from data.course import BundleError

SUM_OF_OTHERS = ("TotalClicks",)
"""All actions together: video, quiz and forum actions are read one by one, so that one can be named."""
FEWEST = 2  # Students of each outcome in a part


def choose_features(behaviour: Behaviour) -> tuple[str, ...]:
    """The features worth reading: they vary and equal no other. Raises BundleError if none is left."""
    varying = behaviour.varying_features()
    cells = {name: behaviour.values[:, :, behaviour.features.index(name)] for name in varying}
    chosen = list[str]()
    for name in sorted(varying, key=_rank):
        if name not in SUM_OF_OTHERS and not any(
            np.array_equal(cells[name], cells[other], equal_nan=True) for other in chosen
        ):
            chosen.append(name)
    if not chosen:
        raise BundleError("the events tell no two students apart: no feature differs between any two of their weeks")
    return tuple(name for name in varying if name in chosen)


def _rank(name: str) -> tuple[bool, bool]:
    """Of equal features the one with the lower rank is read: one that can be advised on, with the plainer name."""
    catalogue = load_catalogue()
    dimension = catalogue.by_name(name).dimension
    advisable = dimension is not None and catalogue.dimension(dimension).core
    return not advisable, name == "AvgWatchedWeeklyProp"


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and standard deviation (weeks, features) of a cohort; missing values are left out."""

    features: tuple[str, ...]
    mean: Floats
    deviation: Floats

    @classmethod
    def fit(cls, behaviour: Behaviour) -> "Scale":
        """The scale of a cohort. A cell in which nobody differs has deviation 1; one without any value mean 0."""
        known = ~np.isnan(behaviour.values)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, behaviour.values, 0.0).sum(axis=0) / count
        squares = np.where(known, behaviour.values - mean, 0.0) ** 2
        deviation = np.sqrt(squares.sum(axis=0) / count)
        # Not `> 0`: of equal numbers the mean may be a rounding error away.
        flat = deviation <= 1e-9 * np.maximum(np.abs(mean), 1e-9)
        return cls(behaviour.features, mean, np.where(flat, 1.0, deviation))

    def select(self, behaviour: Behaviour) -> Behaviour:
        """The features of this scale. Raises BundleError when the behaviour lacks one or has other weeks."""
        absent = [name for name in self.features if name not in behaviour.features]
        if absent:
            raise BundleError(f"the model reads {', '.join(absent)}; the behaviour has {', '.join(behaviour.features)}")
        if behaviour.weeks != len(self.mean):
            has = f"the behaviour has weeks 1 to {behaviour.weeks}"
            raise BundleError(f"the model reads weeks 1 to {len(self.mean)}; {has}")
        return behaviour.only(self.features)

    def standardise(self, behaviour: Behaviour) -> tuple[Floats, Floats]:
        """Deviations from the mean (students, weeks, features), 0 where missing; and 1 where missing, 0 elsewhere."""
        values = self.select(behaviour).values
        missing = np.isnan(values)
        return np.where(missing, 0.0, (values - self.mean) / self.deviation), missing.astype(np.float64)


def split_students(passed: NDArray[np.bool_], parts: int, seed: int) -> tuple[NDArray[np.bool_], ...]:
    """Marks (students,) of each part, outcomes spread evenly. Raises BundleError for less than FEWEST of each."""
    draw = np.random.default_rng(seed)
    part = np.empty(len(passed), dtype=np.int64)
    for outcome, word in ((True, "passed"), (False, "failed")):
        rows = np.flatnonzero(passed == outcome)
        if rows.size < FEWEST * parts:
            need = f"at least {FEWEST * parts} students who {word} are needed"
            raise BundleError(f"{need} to learn from, not {rows.size}")
        part[draw.permutation(rows)] = np.arange(rows.size) % parts
    return tuple(part == number for number in range(parts))


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
    """Two LSTMs over the weeks, both ways, as published (64, 32); to a logit of passing (students,)."""

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
