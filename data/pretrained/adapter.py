"""A LoRA adapter as peft writes it, and refusal of all that is more than A and B on a Llama layer's linear modules."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize

from scribe.plumbing.errors import ModelFileError, UsageError

Weights: TypeAlias = NDArray[np.float32]

LINEAR = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""A layer's linear modules, which LoRA adapts, and what GGUF calls them."""
NORMS = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
_NAME = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.([a-z_.]+)\.lora_[AB]\.weight")
_OF_TRAINING = ("task_type", "auto_mapping", "peft_version", "base_model_name_or_path", "revision", "inference_mode")
_OF_CHOICE = ("target_modules", "exclude_modules", "layers_to_transform", "layers_pattern", "ensure_weight_tying")
_WITHOUT_EFFECT = ("lora_dropout", "megatron_core", "eva_config", "qalora_group_size", "runtime_config")
_READ = ("peft_type", "r", "lora_alpha", "rank_pattern", "alpha_pattern", "use_rslora", "bias", "init_lora_weights")
_HARMLESS = frozenset((*_READ, *_OF_TRAINING, *_OF_CHOICE, *_WITHOUT_EFFECT))
"""Keys of adapter_config.json that we read, or that change nothing once the training is over."""
_DTYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
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
        if not self._tensors:
            raise ModelFileError(f"{folder}: the adapter is empty")
        places = set()
        for name in sorted(self._tensors):
            match = _NAME.fullmatch(name)
            if not match or match[2] not in LINEAR:
                reason = "is not LoRA on a Llama layer's linear module, and would be left out"
                raise UsageError(f"{folder}: {name} {reason}")
            places.add((int(match[1]), match[2]))
        pairs = [self._describe(config, *place) for place in sorted(places)]
        self.pairs = {pair.weight: pair for pair in pairs}

    def matrices(self, pair: LoraPair) -> tuple[Weights, Weights]:
        """A (rank, inputs) and B (outputs, rank)."""
        stem = f"base_model.model.model.layers.{pair.layer}.{pair.module}.lora_"
        return self._tensors[f"{stem}A.weight"], self._tensors[f"{stem}B.weight"]

    def delta(self, pair: LoraPair) -> Weights:
        """What is added to the weight: (outputs, inputs)."""
        a, b = self.matrices(pair)
        return np.float32(pair.scale) * (b @ a)

    def _describe(self, config: Mapping[str, Any], layer: int, module: str) -> LoraPair:
        """One pair, as its matrices and the configuration say it alike."""
        name = f"model.layers.{layer}.{module}"
        rank = self._tensors[f"base_model.model.{name}.lora_A.weight"].shape[0]
        if self._tensors[f"base_model.model.{name}.lora_B.weight"].shape[-1] != rank:
            raise ModelFileError(f"{name}: A has rank {rank}, and B another")
        said = _match_pattern(config.get("rank_pattern"), name, config["r"])
        if said != rank:
            raise ModelFileError(f"{name}: of rank {rank}, and adapter_config.json says {said}")
        alpha = float(_match_pattern(config.get("alpha_pattern"), name, config["lora_alpha"]))
        return LoraPair(layer, module, rank, alpha / (sqrt(rank) if config.get("use_rslora") else rank))


def _read_tensors(path: Path) -> dict[str, Weights]:
    """All tensors in float32. numpy knows no bf16, which is the upper half of a float32."""
    try:
        found: list[tuple[str, Mapping[str, Any]]] = deserialize(path.read_bytes())  # type: ignore[no-untyped-call]
    except (OSError, SafetensorError) as error:
        raise ModelFileError(f"{path}: not a readable safetensors file ({error})") from error
    tensors = {}
    for name, of in found:
        if of["dtype"] not in _DTYPES:
            odd = f"it holds numbers of the type {of['dtype']}; save it as float32, float16 or bfloat16"
            raise ModelFileError(f"{path}: {odd}")
        numbers = np.frombuffer(of["data"], _DTYPES[of["dtype"]]).reshape(of["shape"])
        is_half = of["dtype"] == "BF16"
        tensors[name] = (numbers.astype("<u4") << 16).view("<f4") if is_half else numbers.astype(np.float32)
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


def _match_pattern(pattern: Mapping[str, Any] | None, name: str, otherwise: Any) -> Any:
    """What a pattern of peft's says for a module; its keys are ends of names, or expressions for them."""
    return next((value for key, value in (pattern or {}).items() if re.match(rf"(.*\.)?({key})$", name)), otherwise)


def to_pairs(weights: Weights, heads: int) -> Weights:
    """Rows from each head's halves (Hugging Face turns i with i + half) to pairs (llama.cpp: 2i with 2i + 1)."""
    halves = weights.reshape(heads, 2, -1, weights.shape[-1])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(weights.shape))


def to_halves(weights: Weights, heads: int) -> Weights:
    """The other way: from llama.cpp's order of rows to that of Hugging Face."""
    pairs = weights.reshape(heads, -1, 2, weights.shape[-1])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(weights.shape))
