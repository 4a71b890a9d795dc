"""A LoRA adapter as peft writes it, and refusal of all that is more than A and B on a layer's linear modules."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, deserialize

from data.pretrained.layers import LINEAR, Weights
from scribe.errors import ModelFileError, UsageError

_NAME = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.([a-z_.]+)\.lora_([AB])\.weight")
_READ = ("peft_type", "r", "lora_alpha", "rank_pattern", "alpha_pattern", "use_rslora", "bias", "init_lora_weights")
_OF_TRAINING = ("task_type", "auto_mapping", "peft_version", "base_model_name_or_path", "revision", "inference_mode")
_OF_CHOICE = ("target_modules", "exclude_modules", "layers_to_transform", "layers_pattern", "ensure_weight_tying")
_WITHOUT_EFFECT = ("lora_dropout", "megatron_core", "eva_config", "qalora_group_size", "runtime_config")
_HARMLESS = frozenset((*_READ, *_OF_TRAINING, *_OF_CHOICE, *_WITHOUT_EFFECT))
"""Keys of adapter_config.json that we read, or that change nothing once the training is over."""
_DTYPES = {"F32": "<f4", "F16": "<f2"}
_STARTS = (True, False, None, "gaussian", "orthogonal", "eva")
"""Ways to begin that leave the weights beneath as they were; others (PiSSA, OLoRA, LoftQ) change them."""


def read_json(path: Path) -> Mapping[str, Any]:
    """The object in a JSON file. Raises ModelFileError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not readable ({error})") from error
    if not isinstance(data, dict):
        raise ModelFileError(f"{path}: it must hold a JSON object")
    return data


@dataclass(frozen=True, slots=True)
class LoraPair:
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
    """The adapter in a folder, in memory. Raises ModelFileError, or UsageError if refused."""

    def __init__(self, folder: Path) -> None:
        path = folder / "adapter_config.json"
        config = read_json(path)
        _refuse_unsupported(config, path)
        self.folder = folder
        self._tensors = _read_tensors(folder / "adapter_model.safetensors")
        self.pairs = {pair.weight: pair for pair in _list_pairs(self._tensors, config, folder)}

    def matrices(self, pair: LoraPair) -> tuple[Weights, Weights]:
        """A (rank, inputs) and B (outputs, rank)."""
        stem = f"base_model.model.model.layers.{pair.layer}.{pair.module}.lora_"
        return self._tensors[f"{stem}A.weight"].load(), self._tensors[f"{stem}B.weight"].load()

    def delta(self, pair: LoraPair) -> Weights:
        """What is added to the weight: (outputs, inputs)."""
        a, b = self.matrices(pair)
        return np.float32(pair.scale) * (b @ a)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A tensor as its file holds it. dtype: as safetensors calls it."""

    shape: tuple[int, ...]
    dtype: str
    data: bytes

    def load(self) -> Weights:
        """The tensor in float32. numpy knows no bf16, which is the upper half of a float32."""
        if self.dtype == "BF16":
            whole = np.frombuffer(self.data, "<u2").astype(np.uint32) << 16
            return whole.view(np.float32).reshape(self.shape)
        return np.frombuffer(self.data, _DTYPES[self.dtype]).astype(np.float32).reshape(self.shape)


def _read_tensors(path: Path) -> dict[str, _Stored]:
    try:
        found: list[tuple[str, Mapping[str, Any]]] = deserialize(path.read_bytes())  # type: ignore[no-untyped-call]
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path}: not a readable safetensors file ({error})") from error
    tensors = {name: _Stored(tuple(of["shape"]), of["dtype"], bytes(of["data"])) for name, of in found}
    if odd := sorted({tensor.dtype for tensor in tensors.values()} - {"BF16", *_DTYPES}):
        raise ModelFileError(f"{path}: it holds numbers of the type {odd[0]}; save it as float32, float16 or bfloat16")
    return tensors


def _refuse_unsupported(config: Mapping[str, Any], path: Path) -> None:
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


def _list_pairs(source: Mapping[str, _Stored], config: Mapping[str, Any], folder: Path) -> list[LoraPair]:
    places = {}
    for name in sorted(source):
        match = _NAME.fullmatch(name)
        if not match or match[2] not in LINEAR:
            raise UsageError(f"{folder}: {name} is not LoRA on a Llama layer's linear module, and would be left out")
        places[int(match[1]), match[2]] = name.rpartition(".lora_")[0]
    if not places:
        raise ModelFileError(f"{folder}: the adapter is empty")
    return [_read_pair(source, config, *place, stem) for place, stem in sorted(places.items())]


def _read_pair(
    source: Mapping[str, _Stored], config: Mapping[str, Any], layer: int, module: str, stem: str
) -> LoraPair:
    rank = source[f"{stem}.lora_A.weight"].shape[0]
    if source[f"{stem}.lora_B.weight"].shape[-1] != rank:
        raise ModelFileError(f"{stem}: A has rank {rank}, and B another")
    name = f"model.layers.{layer}.{module}"
    said = _match_pattern(config.get("rank_pattern"), name, config["r"])
    if said != rank:
        raise ModelFileError(f"{stem}: of rank {rank}, and adapter_config.json says {said}")
    alpha = float(_match_pattern(config.get("alpha_pattern"), name, config["lora_alpha"]))
    return LoraPair(layer, module, rank, alpha / (sqrt(rank) if config.get("use_rslora") else rank))


def _match_pattern(pattern: Mapping[str, Any] | None, name: str, otherwise: Any) -> Any:
    """What a pattern of peft's says for a module; its keys are ends of names, or expressions for them."""
    return next((value for key, value in (pattern or {}).items() if re.match(rf"(.*\.)?({key})$", name)), otherwise)
