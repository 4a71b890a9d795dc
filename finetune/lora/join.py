"""Two stacked adapters as one that computes exactly what both do: B₁A₁ + B₂A₂ = (B₁ B₂)(A₁ over A₂).

Its rank is the sum of theirs. It ships as one LoRA GGUF, or is merged as any other.
"""

import shutil
from functools import partial
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig

from data.pretrained.adapter import Adapter
from finetune.adapters import CONFIG, read_base, write_adapter
from finetune.step import PipelineStep, StepResult
from scribe.backends.weights import TRAINED_ON
from scribe.errors import UsageError
from scribe.plumbing.files import refuse_foreign, replace_folder
from scribe.plumbing.progress import OnProgress

STEP = "join"


def make_step(first: Path, second: Path, out: Path) -> PipelineStep:
    """The step that writes the joined adapter to the folder `out`.

    Raises UsageError if they were not trained on the same weights or for the same modules, or if `out` holds something
    else.
    """
    return PipelineStep(STEP, STEP, out, {"first": first, "second": second}, {}, partial(_make, first, second, out))


def _make(first: Path, second: Path, out: Path, on_progress: OnProgress) -> StepResult:
    refuse_foreign(out, CONFIG)
    on_progress(STEP, 0, 1)
    with replace_folder(out) as folder:
        rank = _join(first, second, folder)
        shutil.copy2(first / TRAINED_ON, folder / TRAINED_ON)
    on_progress(STEP, 1, 1)
    return StepResult({"rank": rank}, [read_base(first)])


def _join(first: Path, second: Path, folder: Path) -> int:
    """Write the joined adapter's files into a folder, and return its rank."""
    if read_base(first) != read_base(second):
        raise UsageError(
            f"{first} and {second} were trained on different weights and cannot be joined; a stage trained on a merged"
            " model is merged into that"
        )
    one, other = Adapter(first), Adapter(second)
    if set(one.pairs) != set(other.pairs):
        raise UsageError(f"{first} and {second} are for different modules and cannot be joined")
    weights: dict[str, torch.Tensor] = {}
    ranks: set[int] = set()
    for name, pair in one.pairs.items():
        mate = other.pairs[name]
        (a, b), (c, d) = one.matrices(pair), other.matrices(mate)
        both = np.concatenate([b * np.float32(pair.scale), d * np.float32(mate.scale)], axis=1)
        stem = f"base_model.model.{name.removesuffix('.weight')}.lora_"
        weights[f"{stem}A.weight"] = torch.from_numpy(np.concatenate([a, c]))
        weights[f"{stem}B.weight"] = torch.from_numpy(both)
        ranks.add(pair.rank + mate.rank)
    if len(ranks) != 1:
        raise UsageError(f"{first} and {second} have modules of different ranks; joined ones need the same in all")
    rank = ranks.pop()
    write_adapter(folder, weights, LoraConfig(r=rank, lora_alpha=rank, task_type="CAUSAL_LM"))
    return rank
