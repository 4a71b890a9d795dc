"""LoRA adapters of a tiny model with random A and B, written by peft itself."""

from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from finetune.adapters import note_base


def make_adapter(base: Path, folder: Path, **changes: Any) -> Path:
    """The adapter's folder. It changes what the model says a lot; `changes` go to peft's LoraConfig."""
    torch.manual_seed(5)
    settings = {"r": 8, "lora_alpha": 16, "target_modules": "all-linear", "task_type": "CAUSAL_LM"} | changes
    network = get_peft_model(AutoModelForCausalLM.from_pretrained(base), LoraConfig(**settings))
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if "lora_B" in name:
                weight.normal_(0.0, 0.1)
    network.save_pretrained(folder)
    note_base(folder, base)
    return folder
