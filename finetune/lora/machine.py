"""What a stage runs with on this machine: its precision, and as many ids in a pass as fit into memory.

Some processors multiply bf16 faster than float32, some slower, those without units for it hundreds of times slower;
and a pass that does not fit is killed without a word. The choice stays in a file of the run, since a killed run must
go on with the same passes.
"""

import contextlib
import ctypes
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import psutil
import torch
from torch.utils.benchmark import Timer
from transformers import LlamaConfig

from finetune.examples.rows import Example
from finetune.lora.estimate import GIB, TrainingWork, estimate_training
from finetune.settings import Precision, StageSettings
from scribe.plumbing.files import write_text

_MMAP_MAX, _TRIM_THRESHOLD = -4, -1
"""Parameters of mallopt (glibc's malloc.h)."""
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

    def apply(self, settings: StageSettings) -> StageSettings:
        """The settings with what was chosen."""
        return replace(settings, precision=self.precision, max_tokens_per_batch=self.tokens)

    def describe(self) -> str:
        """The choice in a few words, for the line of progress."""
        return f"{self.precision}, {self.tokens} ids a pass"


def choose_machine(
    settings: StageSettings, device: str, llama: LlamaConfig, examples: Sequence[Example], file: Path, free: float = 0.0
) -> MachineChoice:
    """The choice for a stage: that of the file, if an earlier try of the run has left one there, or a new one.

    free: GiB of memory that may be used; 0 to look. Only the CPU's passes are bounded: a GPU says itself what it lacks.
    """
    if file.exists():
        return MachineChoice(**json.loads(file.read_bytes()))
    precision, tokens = settings.precision, settings.max_tokens_per_batch
    if precision == "auto":
        bf16, f32 = (measure_seconds(dtype, device) for dtype in (torch.bfloat16, torch.float32))
        precision = "bf16" if bf16 < f32 else "f32"
    if device == "cpu":
        available = free or float(psutil.virtual_memory().available) / GIB
        tokens = fit_tokens(replace(settings, precision=precision), llama, examples, available)
    choice = MachineChoice(precision, tokens)
    write_text(file, json.dumps(asdict(choice)))
    return choice


def keep_freed_memory() -> None:
    """Let glibc give what a pass has freed to the next one instead of to the system.

    A pass frees gigabytes, and on a virtual machine a fresh page costs microseconds: a sixth of a pass. Other C
    libraries are left as they are.
    """
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_MAX, 0)
        mallopt(_TRIM_THRESHOLD, 2**31 - 1)


def measure_seconds(dtype: torch.dtype, device: str) -> float:
    """The median time of a product of two square matrices of this type."""
    matrix = torch.ones(SIZE, SIZE, dtype=dtype, device=device)
    timer = Timer("one @ one", globals={"one": matrix}, num_threads=torch.get_num_threads())
    return float(timer.blocked_autorange(min_run_time=0.2).median)


def fit_tokens(settings: StageSettings, llama: LlamaConfig, examples: Sequence[Example], free: float) -> int:
    """The most ids for a pass, at most those of the settings, by which the estimate stays within `SHARE` of `free` GiB.

    Never less than the longest example: a pass holds one at least.
    """
    longest = max(len(each.ids) for each in examples)
    labels = round(float(np.mean([each.supervised for each in examples])))
    tokens = settings.max_tokens_per_batch
    while tokens > longest:
        alone = replace(settings, max_tokens_per_batch=tokens, micro_batch_size=1)
        work = TrainingWork(rows=1, tokens=tokens, shared=0, labels=labels * settings.micro_batch_size)
        if estimate_training(llama, alone, work).gib <= SHARE * free:
            break
        tokens = max(longest, int(tokens * 0.8))
    return tokens
