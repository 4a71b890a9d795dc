"""The network of the hints: drawn at random, then learned from a sample."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from numpy.typing import NDArray
from torch import Tensor, nn

from finetune.hints.sample import Sample
from tools.embedder import Vectors
from tools.minilm import Changes
from tools.reading.known_questions import Known
from tools.reading.ngrams import BUCKETS, places
from tools.reading.reader import BOTH, LEANING, SCALE, Head, following, readings_of

LETTERS, HIDDEN, DROPPED, BLURRED = 32, 512, 0.5, 0.05
PASSES, BATCH, RATE, LETTERS_RATE = 14, 256, 3e-3, 1e-2


class Features:
    """The features of many questions: `of(rows)` as one list of buckets and where each row's begin."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._places = [places(text) for text in texts]

    def of(self, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
        """Buckets (all), begins (rows), weight of each bucket: one over the root of its row's number."""
        chosen = [self._places[row] for row in rows]
        sizes = np.array([len(one) for one in chosen])
        weights = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
        begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return torch.from_numpy(np.concatenate(chosen)), torch.from_numpy(begins), torch.from_numpy(weights)


class LearningHead(nn.Module):
    """As `tools.reading.reader.Head`, to be trained."""

    def __init__(self, size: int, readings: int, outputs: int) -> None:
        super().__init__()
        self.letters = nn.EmbeddingBag(BUCKETS, LETTERS, mode="sum", sparse=True)
        nn.init.normal_(self.letters.weight, std=0.05)
        self.inner, self.outer = nn.Linear(size + LETTERS + 1 + readings, HIDDEN), nn.Linear(HIDDEN, outputs)

    def forward(self, vectors: Tensor, before: Tensor, spelled: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Scores (B, C)."""
        buckets, begins, weights = spelled
        own = F.dropout(self.letters(buckets, begins, per_sample_weights=weights), 0.2, self.training)
        given = torch.cat([F.dropout(vectors, 0.1, self.training), own, before], dim=1)
        scores: Tensor = self.outer(F.dropout(torch.relu(self.inner(given)), DROPPED, self.training))
        return scores

    def head(self, names: Sequence[str], fingerprint: str, changes: Changes | None = None) -> Head:
        """The same as it is used."""
        parts = (self.letters.weight, self.inner.weight.T, self.inner.bias, self.outer.weight.T, self.outer.bias)
        letters, inner, inner_bias, outer, outer_bias = (np.ascontiguousarray(one.detach().numpy()) for one in parts)
        return Head(letters, inner, inner_bias, outer, outer_bias, tuple(names), fingerprint, changes or {})


def train(given: Sample, fingerprint: str, seed: int = 0) -> Head:
    """One head for the sample, over its embeddings as they are."""
    torch.manual_seed(seed)
    names = outputs(given)
    reader = LearningHead(given.vectors.shape[1], len(readings_of(names)), len(names))
    _fit(reader, given, names, seed)
    return reader.head(names, fingerprint)


def output(one: Known) -> str:
    """What the network calls a wording: what it asks, and whether it leans on a question before."""
    return one.asks + (LEANING if one.leaning else "")


def both(one: Known) -> str:
    """What the network calls a wording that is one of two."""
    return one.asks + BOTH


def outputs(given: Sample) -> list[str]:
    """All that the network may say."""
    doubled = {both(one) for one in (*given.known, *given.others) if one and not one.leaning}
    return sorted({output(one) for one in given.known} | doubled)


def wanted(given: Sample, names: Sequence[str]) -> Vectors:
    """(N, C): the share that each output should have."""
    place = {name: at for at, name in enumerate(names)}
    shares = np.zeros((len(given.known), len(names)), np.float32)
    for row, (one, other) in enumerate(zip(given.known, given.others, strict=True)):
        if other is None:
            shares[row, place[output(one)]] = 1.0
        else:
            shares[row, [place[both(one)], place[both(other)]]] = 0.5
    return shares


def told_before(given: Sample, names: Sequence[str]) -> Tensor:
    """(N, 1 + R): what the network is told of the exchange before each question."""
    readings = readings_of(names)
    return torch.from_numpy(np.stack([following(before, readings) for before in given.before]))


def _fit(reader: LearningHead, given: Sample, names: Sequence[str], seed: int) -> None:
    shares = torch.from_numpy(wanted(given, names))
    features = Features(given.texts)
    vectors, before = torch.from_numpy(given.vectors * np.float32(SCALE)), told_before(given, names)
    steps = max(1, PASSES * len(vectors) // BATCH)
    dense = torch.optim.AdamW([*reader.inner.parameters(), *reader.outer.parameters()], lr=RATE, weight_decay=0.01)
    sparse = torch.optim.SparseAdam(reader.letters.parameters(), lr=LETTERS_RATE)
    schedules = [torch.optim.lr_scheduler.CosineAnnealingLR(one, steps) for one in (dense, sparse)]
    for rows in _rows(len(vectors), steps, seed):
        scores = reader(vectors[rows], before[rows], features.of(rows))
        loss = F.cross_entropy(scores, shares[rows], label_smoothing=BLURRED)
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        for one in (dense, sparse):
            one.step()
            one.zero_grad()
        for schedule in schedules:
            schedule.step()


def _rows(count: int, steps: int, seed: int) -> Iterator[NDArray[np.int64]]:
    random = np.random.default_rng(seed)
    for _ in range(steps):
        yield random.integers(0, count, BATCH)
