"""Fits the predictor on an earlier run of a course, and keeps it from learning that studying less helps.

In any cohort some good behaviour happens to go along with failing. Predictions hardly suffer from that, but an
explanation turns it into advice to study less. So training penalises a logit that falls while behaviour gets better
by the catalogue's `good` (hints of monotonicity: Sill and Abu-Mostafa 1997; at points: Gupta et al. 2019).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import compress

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue
from data.predictor.model import BiLSTM, Predictor, Scale, choose_features, split_students
from data.predictor.quality import Quality, Scores
from scribe.plumbing.progress import OnCount

Passed = NDArray[np.bool_]
Predict = Callable[[Behaviour], Floats]  # Probability of passing (students,)

CELLS = 2.0  # Feature-weeks that the penalty moves at once, on average
MOST = 1.5  # Deviations that it moves each by at most
RIDGE = 0.02  # L2 penalty on the logistic regression's weights, per student
SENSE = {"more": 1.0, "less": -1.0, "depends": 0.0}


@dataclass(frozen=True, slots=True)
class Training:
    """How to fit.

    Each of `members` networks leaves out its own part of the students and stops early on it: after `patience` epochs
    without a better loss, at the latest after `epochs`. `monotone` weighs the penalty; 0 leaves it out.
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


@dataclass(frozen=True, slots=True)
class _Examples:
    """Deviations and missing marks (students, weeks, features), and 1 for passed (students,)."""

    scaled: Tensor
    missing: Tensor
    passed: Tensor

    def select(self, rows: Tensor) -> "_Examples":
        return _Examples(self.scaled[rows], self.missing[rows], self.passed[rows])


def fit(
    behaviour: Behaviour,
    passed: Passed,
    settings: Training,
    seed: int = 0,
    on_count: OnCount = lambda done, total: None,
) -> Predictor:
    """Fit to students whose outcome is known, the same for a seed. Raises BundleError for too few of an outcome."""
    parts = split_students(passed, settings.members, seed)
    scale = Scale.fit(behaviour.only(choose_features(behaviour)))
    values, missing = (torch.from_numpy(array).float() for array in scale.standardise(behaviour))
    examples = _Examples(values, missing, torch.from_numpy(passed).float())
    senses = list_senses(scale.features)
    members, logits = [], torch.zeros(len(passed))
    for number, part in enumerate(parts):

        def tell(epoch: int, number: int = number) -> None:
            on_count(number * settings.epochs + epoch, settings.members * settings.epochs)

        split = torch.from_numpy(part)
        held_out = examples.select(split)
        member = _train(examples.select(~split), held_out, senses, settings, seed * 1000 + number, tell)
        with torch.no_grad():
            logits[split] = member(held_out.scaled, held_out.missing)
        members.append(member)
    return Predictor(scale, members, fit_temperature(logits, examples.passed))


def _train(
    examples: _Examples, held_out: _Examples, senses: Tensor, settings: Training, seed: int, tell: Callable[[int], None]
) -> BiLSTM:
    """One network, as it was when the loss on the held-out students was least."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = BiLSTM(examples.scaled.shape[-1], settings.width, settings.dropout)
        optimiser = torch.optim.AdamW(network.parameters(), settings.rate, weight_decay=settings.decay)
        best, least, since = network.state_dict(), float("inf"), 0
        for epoch in range(settings.epochs):
            _run_epoch(network, optimiser, examples, senses, settings)
            with torch.no_grad():
                loss = float(cross_entropy(network.eval()(held_out.scaled, held_out.missing), held_out.passed))
            since = 0 if loss < least else since + 1
            if since == 0:
                least, best = loss, {name: value.clone() for name, value in network.state_dict().items()}
            tell(epoch + 1)
            if since >= settings.patience:
                break
    tell(settings.epochs)
    network.load_state_dict(best)
    return network.eval()


def _run_epoch(
    network: BiLSTM, optimiser: torch.optim.Optimizer, examples: _Examples, senses: Tensor, settings: Training
) -> None:
    for rows in torch.randperm(len(examples.passed)).split(settings.batch):  # type: ignore[no-untyped-call]
        some = examples.select(rows)
        loss = cross_entropy(network.train()(some.scaled, some.missing), some.passed)
        if settings.monotone:
            # Without dropout, whose noise would look like a fall of the logit.
            loss = loss + settings.monotone * measure_falls(network.eval(), some.scaled, some.missing, senses)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()


def list_senses(features: tuple[str, ...]) -> Tensor:
    """Per feature +1 where more goes along with passing, -1 where less does, 0 where it depends."""
    catalogue = load_catalogue()
    return torch.tensor([SENSE[catalogue.by_name(name).good] for name in features])


def measure_falls(model: nn.Module, scaled: Tensor, missing: Tensor, senses: Tensor) -> Tensor:
    """How much the logit falls, on average, at points between students, when CELLS cells get better by up to MOST."""
    between = scaled + torch.rand(len(scaled), 1, 1) * (scaled.roll(1, 0) - scaled)
    moved = torch.rand_like(scaled) < CELLS / scaled[0].numel()
    better = between + moved * (1.0 - missing) * senses * MOST * torch.rand_like(scaled)
    worse, good = model(torch.cat([between, better]), torch.cat([missing, missing])).chunk(2)
    return torch.relu(worse - good).mean()


def fit_temperature(logits: Tensor, passed: Tensor) -> float:
    """What to divide logits (students,) by so that they fit the outcomes best (Guo et al. 2017), 0.25 to 4."""
    grid = torch.logspace(-2.0, 2.0, 401, base=2.0)
    losses = cross_entropy(logits / grid[:, None], passed.expand(len(grid), -1), reduction="none").mean(dim=1)
    return float(grid[int(losses.argmin())])


def fit_logistic(behaviour: Behaviour, passed: Passed, ridge: float = RIDGE) -> tuple[Predict, Floats]:
    """Logistic regression on deviations and missing marks, and its weights (2 * weeks * features,)."""
    from sklearn.linear_model import LogisticRegression  # slow to import

    scale = Scale.fit(behaviour.only(choose_features(behaviour)))

    def flatten(some: Behaviour) -> Floats:
        return np.concatenate(scale.standardise(some), axis=1).reshape(len(some.students), -1)

    model = LogisticRegression(C=1.0 / (ridge * len(passed)), max_iter=1000).fit(flatten(behaviour), passed)
    return lambda some: np.asarray(model.predict_proba(flatten(some))[:, 1]), np.asarray(model.coef_[0])


def cross_validate(
    behaviour: Behaviour,
    passed: Passed,
    models: Mapping[str, Callable[[Behaviour, Passed], Predict]],
    folds: int,
    seed: int,
    on_count: OnCount = lambda done, total: None,
) -> Quality:
    """The quality of models by the functions that fit them, on students left out; `on_count` gets the fits done."""
    predicted = {name: np.full(len(passed), np.nan) for name in models}
    done = 0
    for held_out in split_students(passed, folds, seed):
        past, new = _select_students(behaviour, ~held_out), _select_students(behaviour, held_out)
        for name, fit_model in models.items():
            predicted[name][held_out] = fit_model(past, passed[~held_out])(new)
            done += 1
            on_count(done, len(models) * folds)
    scores = {name: Scores.of(probability, passed) for name, probability in predicted.items()}
    return Quality(len(passed), float(passed.mean()), scores)


def _select_students(behaviour: Behaviour, marks: NDArray[np.bool_]) -> Behaviour:
    return Behaviour(tuple(compress(behaviour.students, marks)), behaviour.features, behaviour.values[marks])
