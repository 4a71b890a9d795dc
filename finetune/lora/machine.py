"""What this machine is fast at, and how much fits: the precision of a stage and the ids of its passes.

A processor without bf16 units multiplies bf16 hundreds of times slower than float32, and a pass that does not fit into
memory is killed without a word. So both are looked at before the first step. What was decided stays in a file of the
run, since a killed run must go on with the same passes.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import psutil
import torch

from finetune.examples.rows import Example
from finetune.llama import LlamaShape
from finetune.lora.estimate import GIB, TrainingWork, estimate_training
from finetune.settings import Precision, StageSettings
from scribe.plumbing.files import write_text

SIZE = 768
"""Rows and columns of the matrices that are multiplied to see how fast that is."""
SHARE = 0.5
"""Of the free memory, what the estimate of a pass may take: the allocator and temporaries want as much again."""


@dataclass(frozen=True, slots=True)
class MachineChoice:
    """What a stage runs with here; `precision` is never "auto"."""

    precision: Precision
    tokens: int
    """Ids in a pass at most."""
    bf16: float = 0.0
    """GFLOP/s of a matrix product, as of f32; 0 where that was not measured."""
    f32: float = 0.0

    def apply(self, settings: StageSettings) -> StageSettings:
        """The settings with what was chosen."""
        return replace(settings, precision=self.precision, max_tokens_per_batch=self.tokens)

    def describe(self) -> str:
        """The choice in a few words, for the line of progress."""
        measured = f" (bf16 {self.bf16:.0f}, f32 {self.f32:.0f} GFLOP/s)" if self.f32 else ""
        return f"{self.precision}{measured}, {self.tokens} ids a pass"


def choose_machine(
    settings: StageSettings, device: str, shape: LlamaShape, examples: Sequence[Example], file: Path, free: float = 0.0
) -> MachineChoice:
    """The choice for a stage: that of the file, if an earlier try of the run has left one there, or a new one.

    free: GiB of memory that may be used; 0 to look. Only the CPU's passes are bounded: a GPU says itself what it lacks.
    """
    if file.exists():
        return MachineChoice(**json.loads(file.read_bytes()))
    speeds: dict[Precision, float] = {}
    precision = settings.precision
    if precision == "auto":
        speeds = {"bf16": measure_speed(torch.bfloat16, device), "f32": measure_speed(torch.float32, device)}
        precision = max(speeds, key=lambda name: speeds[name])
    bounded = replace(settings, precision=precision)
    tokens = (
        fit_tokens(bounded, shape, examples, free or measure_free_gib())
        if device == "cpu"
        else settings.max_tokens_per_batch
    )
    choice = MachineChoice(precision, tokens, speeds.get("bf16", 0.0), speeds.get("f32", 0.0))
    write_text(file, json.dumps(asdict(choice)))
    return choice


def measure_speed(dtype: torch.dtype, device: str = "cpu", seconds: float = 0.2) -> float:
    """GFLOP/s of a product of two square matrices of this type; it takes about so many seconds, once warm."""
    one, other = (torch.ones(SIZE, SIZE, dtype=dtype, device=device) for _ in range(2))
    _wait(one @ other)
    began, products = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        _wait(one @ other)
        products += 1
    return round(2.0 * SIZE**3 * products / (time.perf_counter() - began) / 1e9, 1)


def fit_tokens(settings: StageSettings, shape: LlamaShape, examples: Sequence[Example], free: float) -> int:
    """The most ids for a pass, at most those of the settings, by which the estimate stays within `SHARE` of `free` GiB.

    Never less than the longest example: a pass holds one at least.
    """
    longest = max(len(each.ids) for each in examples)
    labels = round(float(np.mean([each.supervised for each in examples])))
    tokens = settings.max_tokens_per_batch
    while tokens > longest and _estimate_gib(settings, shape, tokens, labels) > SHARE * free:
        tokens = max(longest, int(tokens * 0.8))
    return tokens


def measure_free_gib() -> float:
    """GiB of memory that a program can take now without anything else being pushed out."""
    return float(psutil.virtual_memory().available) / GIB


def _estimate_gib(settings: StageSettings, shape: LlamaShape, tokens: int, labels: int) -> float:
    """What a pass of so many ids takes, by the estimate."""
    alone = replace(settings, max_tokens_per_batch=tokens, micro_batch_size=1)
    work = TrainingWork(rows=1, tokens=tokens, shared=0, labels=labels * settings.micro_batch_size)
    return estimate_training(shape, alone, work).gib


def _wait(product: torch.Tensor) -> None:
    """Until a GPU has done it."""
    product[0, 0].item()
