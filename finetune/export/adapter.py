"""A LoRA adapter as peft writes it, and refusal of all that is more than A and B on a layer's linear modules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import torch

from finetune.export.reading import Tensors, read_json
from finetune.export.tensors import LINEAR
from scribe.errors import ModelFileError, UsageError

_NAME = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.([a-z_.]+)\.lora_([AB])\.weight")
_READ = ("peft_type", "r", "lora_alpha", "rank_pattern", "alpha_pattern", "use_rslora", "bias", "init_lora_weights")
_OF_TRAINING = ("task_type", "auto_mapping", "peft_version", "base_model_name_or_path", "revision", "inference_mode")
_OF_CHOICE = ("target_modules", "exclude_modules", "layers_to_transform", "layers_pattern", "ensure_weight_tying")
_WITHOUT_EFFECT = ("lora_dropout", "megatron_core", "eva_config", "qalora_group_size", "runtime_config")
_HARMLESS = frozenset((*_READ, *_OF_TRAINING, *_OF_CHOICE, *_WITHOUT_EFFECT))
"""Keys of adapter_config.json that we read, or that change nothing once the training is over."""
_STARTS = (True, False, None, "gaussian", "orthogonal", "eva")
"""Ways to begin that leave the weights beneath as they were; others (PiSSA, OLoRA, LoftQ) change them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What LoRA adds to one module: scale · B · A, with A (rank, inputs) and B (outputs, rank)."""

    layer: int
    module: str
    rank: int
    scale: float

    @property
    def weight(self) -> str:
        """The name of the weight it is added to."""
        return f"model.layers.{self.layer}.{self.module}.weight"


class Adapter:
    """The adapter in a folder; its tensors are read when asked for. Raises ModelFileError, or UsageError if refused."""

    def __init__(self, folder: Path) -> None:
        path = folder / "adapter_config.json"
        config = read_json(path)
        _refuse(config, path)
        self.folder = folder
        self._source = Tensors.of_file(folder / "adapter_model.safetensors")
        self.pairs = {pair.weight: pair for pair in _pairs(self._source, config, folder)}

    def matrices(self, pair: Pair) -> tuple[torch.Tensor, torch.Tensor]:
        """A (rank, inputs) and B (outputs, rank), float32."""
        stem = f"base_model.model.model.layers.{pair.layer}.{pair.module}.lora_"
        a, b = (self._source.load(f"{stem}{which}.weight").to(torch.float32) for which in "AB")
        return a, b

    def delta(self, pair: Pair) -> torch.Tensor:
        """What is added to the weight: (outputs, inputs), float32."""
        a, b = self.matrices(pair)
        return pair.scale * (b @ a)


def _refuse(config: Mapping[str, Any], path: Path) -> None:
    odd = sorted(key for key, value in config.items() if value and key not in _HARMLESS)
    wrong = {
        f"is a {config.get('peft_type')!r}, not LoRA": config.get("peft_type") != "LORA",
        f"uses {', '.join(odd)}": bool(odd),
        "trained biases": config.get("bias", "none") != "none",
        f"began with {config.get('init_lora_weights')!r}": config.get("init_lora_weights", True) not in _STARTS,
        "does not say r and lora_alpha, so its scale is unknown": not {"r", "lora_alpha"} <= set(config),
    }
    for problem, holds in wrong.items():
        if holds:
            raise UsageError(f"{path}: the adapter {problem}; without that it would compute something else")


def _pairs(source: Tensors, config: Mapping[str, Any], folder: Path) -> list[Pair]:
    places = {}
    for name in sorted(source.names):
        match = _NAME.fullmatch(name)
        if not match or match[2] not in LINEAR:
            raise UsageError(f"{folder}: {name} is not LoRA on a Llama layer's linear module, and would be left out")
        places[int(match[1]), match[2]] = name.rpartition(".lora_")[0]
    if not places:
        raise ModelFileError(f"{folder}: the adapter is empty")
    return [_pair(source, config, *place, stem) for place, stem in sorted(places.items())]


def _pair(source: Tensors, config: Mapping[str, Any], layer: int, module: str, stem: str) -> Pair:
    rank = source.shape(f"{stem}.lora_A.weight")[0]
    if source.shape(f"{stem}.lora_B.weight")[-1] != rank:
        raise ModelFileError(f"{stem}: A has rank {rank}, and B another")
    name = f"model.layers.{layer}.{module}"
    said = _of(config.get("rank_pattern"), name, config["r"])
    if said != rank:
        raise ModelFileError(f"{stem}: of rank {rank}, and adapter_config.json says {said}")
    alpha = float(_of(config.get("alpha_pattern"), name, config["lora_alpha"]))
    return Pair(layer, module, rank, alpha / (sqrt(rank) if config.get("use_rslora") else rank))


def _of(pattern: Mapping[str, Any] | None, name: str, otherwise: Any) -> Any:
    """What a pattern of peft's says for a module; its keys are ends of names, or expressions for them."""
    return next((value for key, value in (pattern or {}).items() if re.match(rf"(.*\.)?({key})$", name)), otherwise)
