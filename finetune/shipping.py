"""A trained adapter to the one that comes with Scribe: in 16 bits, small enough for the repository.

python -m finetune.shipping runs/x/4-single/adapter
"""

import argparse
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from data.pretrained.adapter import Adapter, read_json
from data.pretrained.package import FOLDER_SHA256, PACKAGE
from data.pretrained.shipped import ADAPTER
from finetune.adapters import CONFIG, WEIGHTS, read_base
from scribe.backends.weights import TRAINED_ON
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.files import refuse_foreign, replace_folder

LARGEST = 50_000_000
"""Bytes that it may take in the repository."""


def ship_adapter(trained: Path, target: Path = ADAPTER) -> int:
    """Write the adapter in the folder `trained` to `target`, instead of what is there, and return its bytes.

    Raises UsageError for one of another base, of another kind or too large; ModelFileError for files not readable.
    """
    refuse_foreign(target, CONFIG)
    if read_base(trained) != FOLDER_SHA256:
        raise UsageError(
            f"{trained}: not trained on the model that comes with Scribe; a second stage does not ship, train in one"
            " ([single] in the pipeline)"
        )
    Adapter(trained)
    with replace_folder(target) as made:
        _write(trained, made)
    return (target / WEIGHTS).stat().st_size


def _write(trained: Path, folder: Path) -> None:
    weights = {name: tensor.to(torch.float16) for name, tensor in sorted(load_file(trained / WEIGHTS).items())}
    if wrong := [name for name, tensor in weights.items() if not tensor.isfinite().all()]:
        raise UsageError(f"{trained}: {wrong[0]} holds what 16 bits cannot; the training went wrong")
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / WEIGHTS).chmod(0o644)
    if (size := (folder / WEIGHTS).stat().st_size) > LARGEST:
        raise UsageError(f"{trained}: {size / 1e6:.1f} MB in 16 bits, at most {LARGEST / 1e6:.0f}; take a lower rank")
    # peft notes the folder that it was trained on, which nobody else has.
    config = {**read_json(trained / CONFIG), "base_model_name_or_path": PACKAGE}
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    shutil.copy2(trained / TRAINED_ON, folder / TRAINED_ON)


def main() -> None:
    """Ship one adapter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trained", type=Path)
    parser.add_argument("--target", type=Path, default=ADAPTER)
    given = parser.parse_args()
    try:
        print(f"{given.target}: {ship_adapter(given.trained, given.target) / 1e6:.1f} MB")
    except ScribeError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
