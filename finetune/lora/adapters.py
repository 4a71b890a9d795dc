"""An adapter on disk, in peft's format, with the weights it was trained on."""

from collections.abc import Mapping
from pathlib import Path

import torch
from peft import LoraConfig
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from finetune.weights import note_base
from scribe.errors import ModelFileError

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"


def save(folder: Path, weights: Mapping[str, torch.Tensor], config: LoraConfig, base: Path) -> None:
    """Write an adapter for the model in `base`.

    peft would note the first base even for a stage that was trained on a merged one; so the sha256 of the weights
    goes with it (`finetune.weights`).
    """
    config.base_model_name_or_path = base.name
    write(folder, weights, config)
    note_base(folder, base)


def write(folder: Path, weights: Mapping[str, torch.Tensor], config: LoraConfig) -> None:
    """Write an adapter's two files, float32, the same bytes for the same weights."""
    folder.mkdir(parents=True, exist_ok=True)
    exact = {name: weight.detach().to("cpu", torch.float32).contiguous() for name, weight in sorted(weights.items())}
    save_file(exact, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / WEIGHTS).chmod((folder / WEIGHTS).stat().st_mode | 0o044)  # safetensors lets only its owner read it
    modules = {name.split(".lora_")[0].rsplit(".", 1)[-1] for name in weights}
    config.target_modules = sorted(modules)  # a set would be written in any order
    config.inference_mode = True
    config.save_pretrained(str(folder))


def read(folder: Path) -> dict[str, torch.Tensor]:
    """An adapter's matrices by name. Raises ModelFileError if the folder holds none."""
    try:
        return load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{folder}: not an adapter that can be read ({error})") from error
