"""Two stacked adapters as one that computes exactly what both do: B₁A₁ + B₂A₂ = (B₁ B₂)(A₁ over A₂).

    python -m finetune.lora.join runs/x/stage1/adapter runs/x/stage2/adapter --out runs/x/joined

Its rank is the sum of theirs. It ships as one LoRA GGUF, or is merged as any other.
"""

import argparse
import shutil
import time
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig

from data.pretrained.adapter import Adapter
from finetune import manifest
from finetune.lora import adapters
from finetune.manifest import Tell, quiet
from finetune.weights import TRAINED_ON, base_of
from finetune.whole import refuse_foreign
from scribe.errors import ScribeError, UsageError

STEP = "join"


def run(first: Path, second: Path, out: Path, tell: Tell = quiet) -> None:
    """Write the joined adapter to the folder `out`, unless it is there already.

    Raises UsageError if they were not trained on the same weights or for the same modules, or if `out` holds something
    else.
    """
    given = {"first": first, "second": second}
    if manifest.is_done(out, STEP, given, {}):
        return
    refuse_foreign(out, adapters.CONFIG)
    began = time.monotonic()
    tell(STEP, 0, 1)
    work = out.with_name(f".{out.name}.work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    rank = write(first, second, work)
    shutil.rmtree(out, ignore_errors=True)
    work.replace(out)
    manifest.finish(out, STEP, given, {}, {"rank": rank}, time.monotonic() - began, [base_of(first)])
    tell(STEP, 1, 1)


def write(first: Path, second: Path, folder: Path) -> int:
    """Write the joined adapter's files into a folder, and return its rank."""
    if base_of(first) != base_of(second):
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
    config = LoraConfig(r=rank, lora_alpha=rank, task_type="CAUSAL_LM")
    adapters.write(folder, weights, config)
    shutil.copy2(first / TRAINED_ON, folder / TRAINED_ON)
    return rank


def main() -> None:
    """Join two adapters."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    try:
        run(given.first, given.second, given.out)
    except ScribeError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
