"""The training loop: what happens in which step, and that a killed run goes on as if it had not been killed.

A step's rows follow from the seed, its dropout from the seed and its number. So weights, the optimizer's state and the
number of steps done are all that a checkpoint has to hold.
"""

import hashlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from peft.helpers import disable_input_dtype_casting

from finetune.lora.bunches import Bunch, Pass, Plan, pack, steps
from finetune.lora.loss import summed
from finetune.lora.network import device_of, trained_weights
from finetune.lora.rows import UNLABELLED, Example
from finetune.lora.settings import StageSettings
from finetune.whole import written

Done = Callable[[int, int], None]
"""Is told after each step how many are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Point:
    """A step of the curve. loss: mean over its labels; held: over the watched rows, where they were looked at.

    rows, tokens: of the examples so far, tokens as if each row had been computed alone. seconds: spent in steps so far.
    """

    step: int
    rows: int
    tokens: int
    rate: float
    loss: float
    norm: float
    seconds: float
    held: float | None = None


@dataclass(slots=True)
class Progress:
    """The curve so far."""

    points: list[Point] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """How many steps are done."""
        return len(self.points)


class Loop:
    """The training of one adapter in a peft model; `key` says what the checkpoint must have been made from.

    worth: what each word of the vocabulary counts as a target, (words,); all the same without.
    """

    def __init__(
        self,
        model: Any,
        settings: StageSettings,
        examples: Sequence[Example],
        checkpoint: Path,
        key: Mapping[str, Any],
        worth: torch.Tensor | None = None,
    ) -> None:
        self.model, self.settings, self._key, self._checkpoint = model, settings, dict(key), checkpoint
        self._network = model.get_base_model()
        self._dropouts = [module for module in model.modules() if isinstance(module, torch.nn.Dropout)]
        self._device = device_of(settings)
        self._worth = None if worth is None else worth.to(self._device)
        self.weights = trained_weights(model)
        self._learning = [weight for weight in self.weights.values() if weight.requires_grad]
        self.learned, self.watched = split(examples, settings.held)
        self._plan = plan(self.learned, settings)
        self._held = [pack([self.watched[at] for at in one]) for one in _watching(self.watched, settings)]
        self._optimizer = torch.optim.AdamW(
            self._learning, lr=0.0, betas=(0.9, 0.999), weight_decay=settings.weight_decay, fused=True
        )
        self.progress = Progress()
        self._resume()

    @property
    def total(self) -> int:
        """How many steps there are."""
        return len(self._plan)

    def train(self, done: Done) -> None:
        """Go through all steps that are left. Raises FloatingPointError when the loss is no number any more."""
        saved = time.monotonic()
        done(self.progress.steps, self.total)
        with disable_input_dtype_casting(self.model):  # autocast does it, and only once
            while self.progress.steps < self.total:
                self._one()
                if time.monotonic() - saved >= self.settings.checkpoint:
                    self.save()
                    saved = time.monotonic()
                done(self.progress.steps, self.total)

    def held_loss(self) -> float | None:
        """The mean loss over the labels of the watched rows; None where there are none."""
        if not self._held:
            return None
        # Not model.eval(): on a CPU bitsandbytes then packs its weights in a way that lets no gradient through later.
        for module in self._dropouts:
            module.eval()
        with torch.no_grad():
            total = sum(float(self._loss(bunch, None)) for bunch in self._held)
        for module in self._dropouts:
            module.train()
        return total / sum(bunch.taught for bunch in self._held)

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "key": self._key,
            "weights": {name: weight.detach().cpu() for name, weight in self.weights.items()},
            "optimizer": self._optimizer.state_dict(),
            "points": [asdict(point) for point in self.progress.points],
        }
        with written(self._checkpoint) as partial:
            torch.save(state, partial)

    def _one(self) -> None:
        number = self.progress.steps
        began = time.perf_counter()
        bunches = [pack([self.learned[at] for at in one]) for one in self._plan[number]]
        rate = self.settings.rate * schedule(number, self.total, self.settings)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        torch.manual_seed(self.settings.seed * 1_000_003 + number)
        loss = self._gradients(bunches)
        norm = float(torch.nn.utils.clip_grad_norm_(self._learning, self.settings.clip))
        if not math.isfinite(loss) or not math.isfinite(norm):
            raise FloatingPointError(f"step {number + 1}: the loss is {loss}; try a lower rate or precision f32")
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self._note(number, bunches, rate, loss, norm, time.perf_counter() - began)

    def _gradients(self, bunches: Sequence[Bunch]) -> float:
        """Accumulate the gradients of the step's mean loss over labels, and return that."""
        counted, total = sum(self._counted(bunch) for bunch in bunches), 0.0
        for bunch in bunches:
            loss = self._loss(bunch, self._worth) / counted
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            total += float(loss.detach())
        return total

    def _counted(self, bunch: Bunch) -> float:
        """What the bunch's targets count together."""
        if self._worth is None:
            return bunch.taught
        return float(self._worth[bunch.targets[bunch.targets != UNLABELLED].to(self._device)].sum())

    def _loss(self, bunch: Bunch, worth: torch.Tensor | None) -> torch.Tensor:
        with self._autocast():
            return summed(self._network, bunch.to(self._device), self.settings.through_opening, worth)

    def _autocast(self) -> AbstractContextManager[Any]:
        if self.settings.precision != "bf16":
            return nullcontext()
        return torch.autocast(torch.device(self._device).type, torch.bfloat16)

    def _note(self, number: int, bunches: list[Bunch], rate: float, loss: float, norm: float, seconds: float) -> None:
        before = self.progress.points[-1] if self.progress.points else Point(0, 0, 0, 0.0, 0.0, 0.0, 0.0)
        rows = sum(len(bunch.layout.rests) for bunch in bunches)
        every = max(1, self.total // self.settings.watch)
        looked = (number + 1) % every == 0 or number + 1 == self.total
        self.progress.points.append(
            Point(
                number + 1,
                before.rows + rows,
                before.tokens + sum(bunch.tokens for bunch in bunches),
                rate,
                loss,
                norm,
                before.seconds + seconds,
                self.held_loss() if looked else None,
            )
        )

    def _resume(self) -> None:
        """Take up the checkpoint, if it is of this run."""
        if not self._checkpoint.exists():
            return
        state = torch.load(self._checkpoint, map_location=self._device, weights_only=True)
        if state["key"] != self._key:
            return
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(state["weights"][name])
        self._optimizer.load_state_dict(state["optimizer"])
        self.progress.points = [Point(**point) for point in state["points"]]


def split(examples: Sequence[Example], held: float) -> tuple[list[Example], list[Example]]:
    """What is learned and what is only watched, every 1/held-th in the order of the hashes of the ids."""
    ordered = sorted(examples, key=lambda each: _hash(each.id))
    count = round(len(ordered) * held)
    watched = {each.id for each in ordered[:count]}
    return [e for e in examples if e.id not in watched], [e for e in examples if e.id in watched]


def plan(examples: Sequence[Example], settings: StageSettings) -> list[list[Pass]]:
    """The passes of every step of the run. The last epoch may be a part of one."""
    made: list[list[Pass]] = []
    random = np.random.default_rng(settings.seed)
    left = settings.epochs
    while left > 1e-9:
        epoch = list(steps(examples, Plan(settings.rows, settings.together, settings.tokens), random))
        made += epoch[: math.ceil(len(epoch) * min(left, 1.0))]
        left -= 1.0
    return made


def schedule(step: int, total: int, settings: StageSettings) -> float:
    """The share of the peak rate in a step counted from 0: a straight rise, then a cosine down to the floor."""
    rise = math.ceil(settings.warmup * total)
    if step < rise:
        return (step + 1) / rise
    along = (step - rise) / max(total - rise, 1)
    return settings.floor + (1 - settings.floor) * 0.5 * (1 + math.cos(math.pi * along))


def _watching(examples: Sequence[Example], settings: StageSettings) -> list[Pass]:
    where = Plan(len(examples) or 1, settings.together, settings.tokens)
    return [one for step in steps(examples, where, np.random.default_rng(settings.seed)) for one in step]


def _hash(id: str) -> bytes:
    return hashlib.sha256(id.encode()).digest()
