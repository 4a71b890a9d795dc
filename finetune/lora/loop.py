"""The training loop: what happens in which step, and that a killed run goes on as if it had not been killed.

A step's rows follow from the seed, its dropout from the seed and its number. So weights, the optimizer's state and the
number of steps done are all that a checkpoint has to hold.
"""

import hashlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from peft.helpers import disable_input_dtype_casting

from finetune.examples.rows import Example
from finetune.lora.batches import MicroBatch, PackedBatch, group_rows, pack, plan_run
from finetune.lora.loss import sum_loss
from finetune.lora.network import find_device, list_trained_weights
from finetune.settings import StageSettings
from scribe.plumbing.files import replace_file

OnStep = Callable[[int, int], None]
"""Is told after each step how many are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A step of the curve."""

    step: int
    rows: int
    """Of the examples so far."""
    tokens: int
    """So far, as if each row had been computed alone."""
    learning_rate: float
    loss: float
    """Mean over the labels of the step, in nats."""
    grad_norm: float
    seconds: float
    """Spent in steps so far."""
    validation_loss: float | None = None
    """Mean over the labels of the validation rows, where they were looked at."""


class TrainingLoop:
    """The training of one adapter in a peft model; `key` says what the checkpoint must have been made from."""

    def __init__(
        self,
        model: Any,
        settings: StageSettings,
        examples: Sequence[Example],
        checkpoint: Path,
        key: Mapping[str, Any],
    ) -> None:
        self.model, self.settings, self._key, self._checkpoint = model, settings, dict(key), checkpoint
        self._network = model.get_base_model()
        self._dropouts = [module for module in model.modules() if isinstance(module, torch.nn.Dropout)]
        self._device = find_device(settings)
        self.weights = list_trained_weights(model)
        self._learning = [weight for weight in self.weights.values() if weight.requires_grad]
        self.learned, self.validation = split_examples(examples, settings.validation_split)
        self.plan = plan_run(self.learned, settings)
        self.total = len(self.plan)
        batches = group_rows(self.validation, settings, np.random.default_rng(settings.seed))
        self._validation = [self._pack(self.validation, batch) for batch in batches]
        self._optimizer = torch.optim.AdamW(
            self._learning, lr=0.0, betas=(0.9, 0.999), weight_decay=settings.weight_decay, fused=True
        )
        self.points: list[CurvePoint] = []
        self._resume()

    def train(self, on_step: OnStep) -> None:
        """Go through all steps that are left. Raises FloatingPointError when the loss is no number any more."""
        saved = time.monotonic()
        on_step(len(self.points), self.total)
        with disable_input_dtype_casting(self.model):  # autocast does it, and only once
            while len(self.points) < self.total:
                self.run_step()
                if time.monotonic() - saved >= self.settings.checkpoint_seconds:
                    self.save()
                    saved = time.monotonic()
                on_step(len(self.points), self.total)

    def validation_loss(self) -> float | None:
        """The mean loss over the labels of the validation rows; None where there are none."""
        if not self._validation:
            return None
        # Not model.eval(): on a CPU bitsandbytes then packs its weights in a way that lets no gradient through later.
        for module in self._dropouts:
            module.eval()
        with torch.no_grad():
            total = sum(float(self._loss(batch)) for batch in self._validation)
        for module in self._dropouts:
            module.train()
        return total / sum(batch.supervised for batch in self._validation)

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        state = {
            "key": self._key,
            "weights": {name: weight.detach().cpu() for name, weight in self.weights.items()},
            "optimizer": self._optimizer.state_dict(),
            "points": [asdict(point) for point in self.points],
        }
        with replace_file(self._checkpoint) as partial:
            torch.save(state, partial)

    def run_step(self) -> None:
        """Do the next step. Raises FloatingPointError when the loss is no number any more."""
        number = len(self.points)
        began = time.perf_counter()
        batches = [self._pack(self.learned, one) for one in self.plan[number]]
        rate = self.settings.learning_rate * scale_rate(number, self.total, self.settings)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        torch.manual_seed(self.settings.seed * 1_000_003 + number)
        loss = self.accumulate_gradients(batches)
        norm = float(torch.nn.utils.clip_grad_norm_(self._learning, self.settings.max_grad_norm))
        if not math.isfinite(loss) or not math.isfinite(norm):
            hint = "try a lower learning_rate or precision f32"
            raise FloatingPointError(f"step {number + 1}: the loss is {loss}; {hint}")
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self._note(batches, rate, loss, norm, time.perf_counter() - began)

    def accumulate_gradients(self, batches: Sequence[PackedBatch]) -> float:
        """Accumulate the gradients of the step's mean loss over labels, and return that."""
        counted, total = sum(batch.supervised for batch in batches), 0.0
        for batch in batches:
            loss = self._loss(batch) / counted
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            total += float(loss.detach())
        return total

    def _pack(self, examples: Sequence[Example], places: MicroBatch) -> PackedBatch:
        return pack([examples[at] for at in places], padded=not self.settings.share_prefix)

    def _loss(self, batch: PackedBatch) -> torch.Tensor:
        kind = torch.device(self._device).type
        with torch.autocast(kind, torch.bfloat16, enabled=self.settings.precision == "bf16"):
            return sum_loss(self._network, batch.to(self._device), self.settings.through_prefix)

    def _note(self, batches: Sequence[PackedBatch], rate: float, loss: float, norm: float, seconds: float) -> None:
        before = self.points[-1] if self.points else CurvePoint(0, 0, 0, 0.0, 0.0, 0.0, 0.0)
        step = before.step + 1
        every = max(1, self.total // self.settings.eval_count)
        point = CurvePoint(
            step=step,
            rows=before.rows + sum(len(batch.layout.suffixes) for batch in batches),
            tokens=before.tokens + sum(batch.tokens for batch in batches),
            learning_rate=rate,
            loss=loss,
            grad_norm=norm,
            seconds=before.seconds + seconds,
            validation_loss=self.validation_loss() if step % every == 0 or step == self.total else None,
        )
        self.points.append(point)

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
        self.points = [CurvePoint(**point) for point in state["points"]]


def split_examples(examples: Sequence[Example], share: float) -> tuple[list[Example], list[Example]]:
    """What is learned, and the share that is only looked at: the first in the order of the hashes of the ids."""
    ordered = sorted(examples, key=lambda each: hashlib.sha256(each.id.encode()).digest())
    validation = {each.id for each in ordered[: round(len(ordered) * share)]}
    return [e for e in examples if e.id not in validation], [e for e in examples if e.id in validation]


def scale_rate(step: int, total: int, settings: StageSettings) -> float:
    """The share of the peak rate in a step counted from 0: a straight rise, then a cosine down to the floor."""
    rise = math.ceil(settings.warmup_ratio * total)
    if step < rise:
        return (step + 1) / rise
    along = (step - rise) / max(total - rise, 1)
    return settings.min_lr_ratio + (1 - settings.min_lr_ratio) * 0.5 * (1 + math.cos(math.pi * along))
