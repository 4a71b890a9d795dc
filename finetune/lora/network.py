"""A base model with a LoRA adapter in it, ready to be trained."""

import warnings
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, BitsAndBytesConfig
from transformers.utils import logging as transformers_logging

from finetune.adapters import WEIGHTS, check_base
from finetune.llama import read_shard
from finetune.lora import attention, products
from finetune.settings import StageSettings
from scribe.plumbing.errors import ModelFileError, UsageError

TRAINED = "default"
"""The trained adapter's name in memory."""


def find_device(settings: StageSettings) -> str:
    """The torch device to train on."""
    return settings.device or ("cuda" if torch.cuda.is_available() else "cpu")


def find_dtype(settings: StageSettings) -> torch.dtype:
    """What the base's weights are held in and multiplied in."""
    return torch.bfloat16 if settings.precision == "bf16" else torch.float32


def load_network(settings: StageSettings, base: Path, init: Path | None = None) -> Any:
    """The model of a folder with a fresh adapter on all its linear layers, the head excepted; a peft model.

    init: an adapter of the same base and rank whose weights the fresh one takes. Raises ModelFileError for a folder
    that is no model, UsageError for one that is no Llama or an adapter of other weights or of another shape.
    """
    network = _load(settings, base)
    if settings.gradient_checkpointing:
        network.activation_checkpointing_enable({"use_reentrant": False})
    torch.manual_seed(settings.seed)  # of the adapter's A; its B begins at zero
    model: Any = get_peft_model(network, make_lora_config(settings)).train()
    if init:
        _take_weights(model, init, base)
    if products.can_fuse(settings, find_device(settings)):
        products.fuse(model, TRAINED, settings)
    return _freeze_layers(model, settings.frozen_layers)


def _freeze_layers(model: Any, count: int) -> Any:
    layers = model.get_base_model().model.layers
    if count >= len(layers):
        raise UsageError(f"frozen_layers = {count} leaves nothing to learn in a model of {len(layers)} layers")
    for layer in layers[:count]:
        layer.requires_grad_(False)
    return model


def _take_weights(model: Any, folder: Path, base: Path) -> None:
    """Give the trained adapter the weights of another one of the same base and rank."""
    check_base(folder, base)
    known, weights = read_shard(folder / WEIGHTS), list_trained_weights(model)
    if {name: weight.shape for name, weight in known.items()} != {name: w.shape for name, w in weights.items()}:
        raise UsageError(f"{folder}: an adapter of another shape; give the rank and base that it was trained with")
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(known[name])


def make_lora_config(settings: StageSettings) -> LoraConfig:
    """The adapter's configuration; no rsLoRA, whose scale a GGUF file cannot say."""
    return LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha or 2.0 * settings.rank,
        lora_dropout=settings.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def list_trained_weights(model: Any) -> dict[str, torch.nn.Parameter]:
    """The adapter's matrices by the names that its file has for them, those of fixed layers too."""
    named = ((name, weight) for name, weight in model.named_parameters() if f".{TRAINED}." in name)
    return {name.replace(f".{TRAINED}.", "."): weight for name, weight in named}


def _load(settings: StageSettings, base: Path) -> Any:
    transformers_logging.disable_progress_bar()
    kind: dict[str, Any] = {"dtype": find_dtype(settings), "attn_implementation": attention.register()}
    if settings.load_in_4bit:
        kind["device_map"] = find_device(settings)
        kind["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=find_dtype(settings),
        )
    try:
        found = AutoConfig.from_pretrained(base, local_files_only=True).model_type
        if found != "llama":
            raise UsageError(f"{base} is a {found!r} model; only Llamas can be trained here")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            network = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, **kind)
    except UsageError:
        raise
    except Exception as error:  # OSError, ValueError, SafetensorError, KeyError: the folder is not a model
        raise ModelFileError(f"{base}: cannot be loaded as a model ({error})") from error
    return network if settings.load_in_4bit else network.to(find_device(settings))
