"""Train the embedded model's network on groups of trajectories, for a given number of minutes.

The schedule follows the clock, not the step count, so that a slow machine ends with a decayed learning rate
too. A checkpoint is written every few minutes; a killed run goes on from it with the time it had left.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor

from finetune.examples import Group, Tail
from finetune.network import Network

BACKGROUND_SHARE = 0.25
"""Of the lightly weighted targets, the share that a training step looks at."""
Change = Callable[[Tail, np.random.Generator], Tail]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long and how fast to train.

    tails: conversations per step. openings: how often a pass also goes through all first turns, and
    opening_tails: how many of these make a step.
    """

    minutes: float = 50.0
    rate: float = 1.0e-3
    embedding_rate: float = 0.3
    tails: int = 7
    openings: int = 2
    opening_tails: int = 28
    warmup: float = 0.02
    floor: float = 0.02
    weight_decay: float = 0.05
    clip: float = 1.0
    seed: int = 0
    checkpoint_minutes: float = 4.0


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's input: prefix (P,), tails (B, T) padded with 0, weights (B, T) of targets, report span."""

    prefix: Tensor
    tails: Tensor
    weights: Tensor
    report_start: int


def batch(group: Group, tails: Sequence[Tail]) -> Batch:
    """Tails of one group, padded to the longest."""
    longest = max(len(tail.ids) for tail in tails)
    ids = np.zeros((len(tails), longest), np.int64)
    weights = np.zeros((len(tails), longest), np.float32)
    for row, tail in enumerate(tails):
        ids[row, : len(tail.ids)] = tail.ids
        weights[row, : len(tail.weights)] = tail.weights
    prefix = torch.from_numpy(group.prefix.astype(np.int64))
    return Batch(prefix, torch.from_numpy(ids), torch.from_numpy(weights), group.report_start)


def batches(
    groups: Sequence[Group], recipe: Recipe, change: Change | None = None, done: int = 0
) -> Iterator[Batch]:
    """Endless batches, groups in random order: whole tails, and among them many at once cut to their first turn.

    `change` makes another tail of each one, cut or whole, drawn anew for each step. The first `done` batches are
    left out without being built. Raises ValueError if no group has tails for half a step.
    """
    for step, (group, tails) in islice(enumerate(_steps(groups, recipe)), done, None):
        if change:
            # Drawn from the step's number, so that a resumed run goes on as an uninterrupted one does.
            random = np.random.default_rng((recipe.seed, step))
            tails = [change(tail, random) for tail in tails]
        yield batch(group, tails)


def _steps(groups: Sequence[Group], recipe: Recipe) -> Iterator[tuple[Group, list[Tail]]]:
    """Endlessly what each step looks at.

    Understanding the question and choosing the first tool is what needs the most examples and the fewest tokens.
    A rest of less than half a step is left out. Raises ValueError if that leaves nothing.
    """
    random = np.random.default_rng(recipe.seed)
    openings = [[first_turn(tail) for tail in group.tails] for group in groups]
    while True:
        pieces: list[tuple[Group, list[Tail]]] = []
        for group, cut in zip(groups, openings, strict=True):
            pieces += ((group, chosen) for chosen in _pieces(group.tails, recipe.tails, random))
            for _ in range(recipe.openings):
                pieces += ((group, chosen) for chosen in _pieces(cut, recipe.opening_tails, random))
        if not pieces:
            raise ValueError(f"no group has {recipe.tails // 2} tails, half of what a step takes")
        for place in random.permutation(len(pieces)):
            yield pieces[place]


def _pieces(tails: Sequence[Tail], size: int, random: np.random.Generator) -> Iterator[list[Tail]]:
    """The tails in pieces of `size`, neighbours in length together, so that little is padding."""
    shuffled = [tails[place] for place in random.permutation(len(tails))]
    ordered = sorted(shuffled, key=lambda tail: len(tail.ids))
    for start in range(0, len(ordered), size):
        if len(chosen := ordered[start : start + size]) >= size // 2:
            yield chosen


def first_turn(tail: Tail) -> Tail:
    """The tail up to the end of the first turn that is taught: reasoning and first call, or the answer."""
    taught = np.flatnonzero(tail.weights == 1)
    gaps = np.flatnonzero(np.diff(taught) > 1)
    end = int(taught[gaps[0]] if len(gaps) else taught[-1]) + 1
    return Tail(tail.ids[:end], tail.weights[:end])


def losses(
    network: Network, given: Batch, background: float = 0.1, thinning: torch.Generator | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Weighted loss, and of the targets with full weight: how many were right, per tail whether all were.

    With `thinning` only a quarter of the background counts, four times as much: that teaches the same for a
    quarter of the cost.
    """
    size, (count, length) = len(given.prefix), given.tails.shape
    hidden = network(given.prefix, given.tails)
    tails = hidden[size:].view(count, length, -1)[:, :-1]
    targets, weights = given.tails[:, 1:], given.weights[:, 1:]
    chosen = weights > 0
    if thinning:
        taught = weights == 1
        chosen &= taught | (torch.rand(weights.shape, generator=thinning) < BACKGROUND_SHARE)
        weights = torch.where(taught, weights, weights / BACKGROUND_SHARE)
    logits = network.lm_head(tails[chosen]).float()
    loss = (F.cross_entropy(logits, targets[chosen], reduction="none") * weights[chosen]).sum()
    read = torch.arange(given.report_start, size - 1)
    length = len(read)
    if thinning:
        read = read[torch.rand(length, generator=thinning) < BACKGROUND_SHARE]
    own = F.cross_entropy(network.lm_head(hidden[read]).float(), given.prefix[read + 1], reduction="sum")
    loss = (loss + own * background * length / max(len(read), 1)) / (
        given.weights[:, 1:].sum() + background * length
    )
    right = torch.ones_like(chosen)
    right[chosen] = logits.argmax(-1) == targets[chosen]
    taught = given.weights[:, 1:] == 1
    return loss, right[taught].float().mean(), (right | ~taught).all(dim=1).float()


class Run:
    """A training run in a folder: state, log and checkpoints."""

    def __init__(self, network: Network, recipe: Recipe, folder: Path) -> None:
        self.network, self.recipe, self.folder = network, recipe, folder
        self.optimizer = _optimizer(network, recipe)
        self.steps, self.spent, self.tokens = 0, 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)
        self._checkpoint = folder / "checkpoint.pt"
        if self._checkpoint.exists():
            self._resume()

    def train(self, groups: Sequence[Group], watched: Sequence[Batch], change: Change | None = None) -> None:
        """Train until the minutes are spent; prints and logs loss, speed and held-out accuracy.

        `change` makes another tail of each one that a step looks at (see `batches`).
        """
        budget = self.recipe.minutes * 60
        if self.spent >= budget:
            return  # a finished run that was started again
        source = batches(groups, self.recipe, change, self.steps)
        saved = logged = self.spent
        self.network.train()
        while self.spent < budget:
            began = time.perf_counter()
            loss = self._step(next(source))
            self.spent += time.perf_counter() - began
            if self.spent - logged > 20:
                logged = self.spent
                self._log(loss, ())
            if self.spent - saved > self.recipe.checkpoint_minutes * 60:
                saved = self.spent
                self.save()
                self._log(loss, watched)
        self.save()
        self._log(loss, watched)

    def _step(self, given: Batch) -> float:
        fraction = self.spent / (self.recipe.minutes * 60)
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * _schedule(fraction, self.recipe)
        # Drawn from the step's number, so that a resumed run goes on as an uninterrupted one does.
        thinning = torch.Generator().manual_seed(self.recipe.seed + self.steps)
        with torch.autocast("cpu", torch.bfloat16):
            loss, _, _ = losses(self.network, given, thinning=thinning)
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        self.tokens += given.prefix.numel() + given.tails.numel()
        return float(loss.detach())

    def _log(self, loss: float, watched: Sequence[Batch]) -> None:
        line: dict[str, Any] = {"step": self.steps, "minutes": round(self.spent / 60, 2), "loss": round(loss, 4)}
        line["tokens"] = self.tokens
        line["tokens_per_second"] = round(self.tokens / max(self.spent, 1e-9))
        if watched:
            line |= evaluate(self.network, watched)
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), flush=True)

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "shape": asdict(self.network.shape),
            "progress": (self.steps, self.spent, self.tokens),
        }
        partial = self._checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self._checkpoint)

    def _resume(self) -> None:
        state = torch.load(self._checkpoint, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.spent, self.tokens = state["progress"]
        print(f"resumed at step {self.steps}, {self.spent / 60:.1f} minutes", flush=True)


@torch.no_grad()
def evaluate(network: Network, watched: Sequence[Batch]) -> dict[str, float]:
    """On watched batches, teacher-forced: loss, share of right tokens, share of tails right throughout."""
    rows = []
    network.eval()
    for given in watched:
        with torch.autocast("cpu", torch.bfloat16):
            loss, token, whole = losses(network, given)
        rows.append((float(loss), float(token), float(whole.mean())))
    network.train()
    loss, token, whole = np.array(rows).mean(axis=0)
    return {"held_loss": round(loss, 4), "held_token": round(token, 4), "held_whole": round(whole, 4)}


def _optimizer(network: Network, recipe: Recipe) -> torch.optim.AdamW:
    """AdamW; word tables learn more slowly, so that untrained words stay beside their trained synonyms."""
    tables = [network.model.embed_tokens.weight, network.lm_head.weight]
    norms = [weight for weight in network.parameters() if weight.dim() == 1]
    matrices = [w for w in network.parameters() if w.dim() == 2 and all(w is not table for table in tables)]
    plan = ((matrices, 1.0, recipe.weight_decay), (norms, 1.0, 0.0), (tables, recipe.embedding_rate, 0.0))
    groups = [
        {"params": weights, "peak": recipe.rate * factor, "lr": 0.0, "weight_decay": decay}
        for weights, factor, decay in plan
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.97), eps=1e-8, fused=True)


def _schedule(fraction: float, recipe: Recipe) -> float:
    """Share of the peak rate: a short rise, then a cosine down to the floor."""
    if fraction < recipe.warmup:
        return max(fraction / recipe.warmup, 0.02)
    along = min((fraction - recipe.warmup) / (1 - recipe.warmup), 1.0)
    return recipe.floor + (1 - recipe.floor) * 0.5 * (1 + math.cos(math.pi * along))
