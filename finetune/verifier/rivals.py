"""What a trained verifier is held against: a constant, the turn's number, and a linear model on embeddings.

Each is trained on some samples and foretells the rewards of others; all give rewards in [0, 1].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from finetune.verifier.kept_folds import KeptFolds
from finetune.verifier.samples import TurnSample
from scribe.plumbing.progress import OnCount
from tools.embedding.embedders import Embedder

Numbers = NDArray[np.float64]

TAIL = 900
"""Characters of the dialogue that an embedder reads, the last ones: it takes in some 250 tokens."""
CHUNK = 64


class RewardModel(Protocol):
    """Foretells rewards by folds."""

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """Rewards (N,) of all samples by a model of those that are `learned` (N,)."""
        ...


@dataclass(frozen=True, slots=True)
class ConstantReward:
    """The mean reward."""

    samples: Sequence[TurnSample]

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """The same for each sample."""
        return np.full(len(self.samples), list_rewards(self.samples)[learned].mean())


@dataclass(frozen=True, slots=True)
class TurnReward:
    """The mean reward of the turns with the same number; of a number not met, of all."""

    samples: Sequence[TurnSample]

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """By the turn's number alone."""
        turns, rewards = np.array([each.turn for each in self.samples]), list_rewards(self.samples)
        means = {turn: rewards[learned & (turns == turn)].mean() for turn in set(turns[learned].tolist())}
        return np.array([means.get(int(turn), rewards[learned].mean()) for turn in turns])


@dataclass(frozen=True, slots=True)
class LinearReward:
    """Ridge regression on features (N, F), each scaled to unit deviation."""

    samples: Sequence[TurnSample]
    features: Numbers
    penalty: float = 1000.0

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """Cut to [0, 1]."""
        model = fit_linear(self.features[learned], list_rewards(self.samples)[learned], self.penalty)
        return np.asarray(model.predict(self.features).clip(0.0, 1.0))


def fit_linear(features: Numbers, rewards: Numbers, penalty: float = 1000.0) -> Any:
    """Ridge regression on features (N, F), each scaled to unit deviation: a model of scikit-learn's."""
    model = make_pipeline(StandardScaler(), Ridge(alpha=penalty))
    return model.fit(features, rewards)


def fit_head(means: Numbers, rewards: Numbers, penalty: float = 1e-3) -> tuple[Numbers, float]:
    """w (D,) and b of σ(w · mean + b) with the least mean squared error, plus penalty · |w · deviation|².

    By L-BFGS on scaled means, from nothing: the same means give the same head.
    """
    center, spread = means.mean(0), means.std(0) + 1e-6
    scaled, wanted = torch.tensor((means - center) / spread), torch.tensor(rewards)
    weights = torch.zeros(means.shape[1] + 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def measure() -> torch.Tensor:
        optimizer.zero_grad()
        value = torch.sigmoid(scaled @ weights[:-1] + weights[-1])
        loss = ((value - wanted) ** 2).mean() + penalty * (weights[:-1] ** 2).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimizer.step(measure)  # type: ignore[no-untyped-call]
    found = weights.detach().numpy()
    direction = found[:-1] / spread
    return direction, float(found[-1] - direction @ center)


def list_rewards(samples: Sequence[TurnSample]) -> Numbers:
    """The true rewards (N,)."""
    return np.array([each.reward for each in samples])


def foretell_by_folds(
    model: RewardModel, folds: NDArray[np.int64], on_count: OnCount, kept: KeptFolds | None = None
) -> Numbers:
    """Rewards (N,), those of each fold by a model of all others. kept: has the finished ones, and gets them."""
    found = np.empty(len(folds))
    numbers = sorted(set(folds.tolist()))
    for done, fold in enumerate(numbers, start=1):
        held = folds == fold
        known = kept.find(fold) if kept else None
        found[held] = model.foretell(~held)[held] if known is None else known
        if kept and known is None:
            kept.keep(fold, found[held])
        on_count(done, len(numbers))
    return found


def embed_samples(samples: Sequence[TurnSample], embedder: Embedder, on_count: OnCount) -> Numbers:
    """Features (N, 2 D + 1): the end of the dialogue so far, the turn, and the turn's number."""
    said = [text for each in samples for text in (each.given.context[-TAIL:], each.text or " ")]
    unique = list(dict.fromkeys(said))
    vectors: dict[str, Numbers] = {}
    for start in range(0, len(unique), CHUNK):
        part = unique[start : start + CHUNK]
        vectors |= zip(part, np.asarray(embedder.embed(part), dtype=np.float64), strict=True)
        on_count(min(start + CHUNK, len(unique)), len(unique))
    pairs = zip(said[::2], said[1::2], samples, strict=True)
    return np.array([np.concatenate([vectors[before], vectors[turn], [each.turn]]) for before, turn, each in pairs])
