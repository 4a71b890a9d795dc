"""A base model with a LoRA adapter in it, ready to be trained."""

import warnings
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, BitsAndBytesConfig
from transformers.utils import logging as transformers_logging

from finetune.lora import adapters, attention, products
from finetune.lora.settings import StageSettings
from finetune.weights import check_base
from scribe.errors import ModelFileError, UsageError

BELOW, TRAINED = "below", "default"
"""The names in memory of a frozen adapter under the trained one, and of the trained one."""


def device_of(settings: StageSettings) -> str:
    """The torch device to train on."""
    return settings.device or ("cuda" if torch.cuda.is_available() else "cpu")


def dtype_of(settings: StageSettings) -> torch.dtype:
    """What the base's weights are held in and multiplied in."""
    return torch.bfloat16 if settings.precision == "bf16" else torch.float32


def adapted(settings: StageSettings, base: Path, below: Path | None = None, begin: Path | None = None) -> Any:
    """The model of a folder with a fresh adapter on all its linear layers, the head excepted; a peft model.

    below: an adapter of an earlier stage, trained on the same base, that acts but stays as it is. begin: one of the
    same base and rank whose weights the fresh one takes. Raises ModelFileError for a folder that is no model,
    UsageError for one that is no Llama or an adapter of other weights or of another shape.
    """
    network = _load(settings, base)
    if settings.recompute:
        network.activation_checkpointing_enable({"use_reentrant": False})
    torch.manual_seed(settings.seed)  # of the adapter's A; its B begins at zero
    config = lora(settings)
    if below is None:
        model = get_peft_model(network, config).train()
        if begin:
            _go_on_from(model, begin, base)
        if products.fits(settings, device_of(settings)):
            products.fuse(model, TRAINED, settings)
        return _with_lowest_fixed(model, settings.lowest)
    check_base(below, base)
    stacked = PeftModel.from_pretrained(network, below, adapter_name=BELOW, local_files_only=True)
    stacked.add_adapter(TRAINED, config)
    stacked.base_model.set_adapter([BELOW, TRAINED])  # this makes both trainable
    for name, weight in stacked.named_parameters():
        weight.requires_grad_(f".{TRAINED}." in name)
    for module in stacked.modules():
        if BELOW in getattr(module, "lora_dropout", ()):
            module.lora_dropout[BELOW] = torch.nn.Identity()
    return _with_lowest_fixed(stacked.train(), settings.lowest)


def _with_lowest_fixed(model: Any, lowest: int) -> Any:
    layers = model.get_base_model().model.layers
    if lowest >= len(layers):
        raise UsageError(f"lowest = {lowest} leaves nothing to learn in a model of {len(layers)} layers")
    for layer in layers[:lowest]:
        layer.requires_grad_(False)
    return model


def _go_on_from(model: Any, folder: Path, base: Path) -> None:
    """Give the trained adapter the weights of another one of the same base and rank."""
    check_base(folder, base)
    known, weights = adapters.read(folder), trained_weights(model)
    if {name: weight.shape for name, weight in known.items()} != {name: w.shape for name, w in weights.items()}:
        raise UsageError(f"{folder}: an adapter of another shape; give the rank and base that it was trained with")
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(known[name])


def lora(settings: StageSettings) -> LoraConfig:
    """The adapter's configuration; no rsLoRA, whose scale a GGUF file cannot say."""
    return LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha or 2.0 * settings.rank,
        lora_dropout=settings.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def trained_weights(model: Any) -> dict[str, torch.nn.Parameter]:
    """The adapter's matrices by the names that its file has for them, those of fixed layers too."""
    named = ((name, weight) for name, weight in model.named_parameters() if f".{TRAINED}." in name)
    return {name.replace(f".{TRAINED}.", "."): weight for name, weight in named}


def _load(settings: StageSettings, base: Path) -> Any:
    transformers_logging.disable_progress_bar()
    kind: dict[str, Any] = {"dtype": dtype_of(settings), "attn_implementation": attention.register()}
    if settings.nf4:
        kind |= {"quantization_config": _four_bits(settings), "device_map": device_of(settings)}
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
    return network if settings.nf4 else network.to(device_of(settings))


def _four_bits(settings: StageSettings) -> BitsAndBytesConfig:
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=dtype_of(settings),
    )
