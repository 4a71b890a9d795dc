"""A LoRA adapter on disk, in peft's format, with the sha256 of the weights it was trained on beside it."""

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from peft import LoraConfig
from safetensors.torch import save_file

from scribe.backends.weights import TRAINED_ON, hash_weights, read_trained_on
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import write_text

WEIGHTS, CONFIG = "adapter_model.safetensors", "adapter_config.json"


def write_adapter(folder: Path, weights: Mapping[str, torch.Tensor], config: LoraConfig) -> None:
    """Write an adapter's two files, float32, the same bytes for the same weights."""
    folder.mkdir(parents=True, exist_ok=True)
    exact = {name: weight.detach().to("cpu", torch.float32).contiguous() for name, weight in sorted(weights.items())}
    save_file(exact, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / WEIGHTS).chmod((folder / WEIGHTS).stat().st_mode | 0o044)  # safetensors lets only its owner read it
    modules = {name.split(".lora_")[0].rsplit(".", 1)[-1] for name in weights}
    config.target_modules = sorted(modules)  # a set would be written in any order
    config.inference_mode = True
    config.save_pretrained(str(folder))


def note_base(adapter: Path, base: Path) -> None:
    """Write into an adapter's folder which weights it was trained on: its own files do not say."""
    said = {"sha256": hash_weights(base), "name": base.name}
    write_text(adapter / TRAINED_ON, json.dumps(said, indent=2) + "\n")


def read_base(adapter: Path) -> str:
    """The sha256 of the weights an adapter was trained on. Raises UsageError or ModelFileError if it does not say."""
    found = read_trained_on(adapter)
    if found is None:
        raise UsageError(
            f"{adapter / TRAINED_ON}, which should say what weights the adapter was trained on, is not there; if you "
            "are sure, write it with finetune.adapters.note_base(ADAPTER, BASE)"
        )
    return found


def check_base(adapter: Path, base: Path) -> None:
    """Raise UsageError unless the adapter was trained on these very weights."""
    wanted, found = read_base(adapter), hash_weights(base)
    if wanted != found:
        raise UsageError(
            f"{adapter}: trained on other weights (sha256 {wanted[:12]}) than those of {base} ({found[:12]}); give "
            "the folder it was trained on: for a second stage, that with the first one merged in"
        )
