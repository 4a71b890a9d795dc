"""Fits the predictor on an earlier run of a course."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from data.behaviour import Behaviour
from data.course import BundleError
from data.predictor.choice import choose
from data.predictor.folds import parted
from data.predictor.monotone import against, senses
from data.predictor.network import BiLSTM
from data.predictor.predictor import Predictor
from data.predictor.scale import Scale

Passed = NDArray[np.bool_]
Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Training:
    """How to fit. `monotone` weighs the penalty for a logit that falls as behaviour gets better; 0 leaves it out.

    Each of `members` networks leaves out its own part of the students, on which it stops early: after
    `patience` epochs without a better loss, at the latest after `epochs`.
    """

    members: int = 3
    width: int = 32
    dropout: float = 0.4
    rate: float = 3e-3
    decay: float = 0.02
    batch: int = 64
    epochs: int = 40
    patience: int = 6
    monotone: float = 20.0


DEFAULT = Training()


@dataclass(frozen=True, slots=True)
class Lessons:
    """Students to learn from: deviations and missing marks (students, weeks, features), 1 for passed."""

    scaled: Tensor
    missing: Tensor
    passed: Tensor

    def of(self, rows: Tensor) -> "Lessons":
        """Some of the students."""
        return Lessons(self.scaled[rows], self.missing[rows], self.passed[rows])


def fit(
    behaviour: Behaviour,
    passed: Passed,
    settings: Training = DEFAULT,
    seed: int = 0,
    progress: Progress | None = None,
) -> Predictor:
    """Fit to students whose outcome is known; `progress` is told the epochs done and their largest number.

    The same seed gives the same model on the same machine. Raises BundleError when there are not enough
    students of each outcome to leave some of both out, or when no feature tells them apart.
    """
    if len(passed) != len(behaviour.students):
        raise BundleError(f"{len(behaviour.students)} students, but the outcomes of {len(passed)}")
    parts = parted(passed, settings.members, seed)
    scale = Scale.of(behaviour.only(choose(behaviour)))
    values, missing = (torch.from_numpy(array).float() for array in scale.scaled(behaviour))
    lessons = Lessons(values, missing, torch.from_numpy(passed).float())
    sense = senses(scale.features)
    members, logits = [], torch.zeros(len(passed))
    for number, held_out in enumerate(parts):

        def told(epoch: int, number: int = number) -> None:
            if progress is not None:
                progress(number * settings.epochs + epoch, settings.members * settings.epochs)

        split = torch.from_numpy(held_out)
        member = _train(lessons.of(~split), lessons.of(split), sense, settings, seed * 1000 + number, told)
        with torch.no_grad():
            logits[split] = member(values[split], missing[split])
        members.append(member)
    return Predictor(scale, members, temperature(logits, lessons.passed))


def _train(
    lessons: Lessons, held_out: Lessons, sense: Tensor, settings: Training, seed: int, told: Callable[[int], None]
) -> BiLSTM:
    """One network, as it was when the loss on the held-out students was least."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = BiLSTM(lessons.scaled.shape[-1], settings.width, settings.dropout)
        optimiser = torch.optim.AdamW(network.parameters(), settings.rate, weight_decay=settings.decay)
        best, least, since = network.state_dict(), float("inf"), 0
        for epoch in range(settings.epochs):
            _epoch(network, optimiser, lessons, sense, settings)
            loss = _loss(network, held_out)
            since = 0 if loss < least else since + 1
            if since == 0:
                least, best = loss, {name: value.clone() for name, value in network.state_dict().items()}
            told(epoch + 1)
            if since >= settings.patience:
                break
    told(settings.epochs)
    network.load_state_dict(best)
    return network.eval()


def _epoch(
    network: BiLSTM, optimiser: torch.optim.Optimizer, lessons: Lessons, sense: Tensor, settings: Training
) -> None:
    for rows in torch.randperm(len(lessons.passed)).split(settings.batch):  # type: ignore[no-untyped-call]
        some = lessons.of(rows)
        loss = cross_entropy(network.train()(some.scaled, some.missing), some.passed)
        if settings.monotone:
            # Without dropout, whose noise would look like a fall of the logit.
            loss = loss + settings.monotone * against(network.eval(), some.scaled, some.missing, sense)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()


def _loss(network: BiLSTM, held_out: Lessons) -> float:
    network.eval()
    with torch.no_grad():
        return float(cross_entropy(network(held_out.scaled, held_out.missing), held_out.passed))


def temperature(logits: Tensor, passed: Tensor) -> float:
    """What to divide logits (students,) by so that they fit the outcomes best (Guo et al. 2017), 0.25..4."""
    grid = torch.logspace(-2.0, 2.0, 401, base=2.0)
    losses = cross_entropy(logits / grid[:, None], passed.expand(len(grid), -1), reduction="none").mean(dim=1)
    return float(grid[int(losses.argmin())])
