"""A two-layer model and a pipeline for it, so that every step runs for real in seconds.

    python -m tests.finetune.tiny FOLDER

It has SmolLM2's tokenizer, and weights that know nothing. It learns from a few conversations of the set that comes with
Scribe, of which one calls no tool. FOLDER then holds hf/, the conversations and pipeline.toml.
"""

import json
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from data.pretrained.conversion import open_base_folder
from finetune.conversations.dataset import read_dataset
from scribe import records
from scribe.records import Record

WIDTH, HIDDEN, LAYERS, HEADS, KEY_HEADS = 256, 256, 2, 4, 2
CALLING = 11
"""Conversations with calls."""
_DATASET = "conversations.jsonl"


def make_model(folder: Path, seed: int = 0) -> Path:
    """The base model's folder, `folder`/hf, with the conversations beside it."""
    hf = folder / "hf"
    hf.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(open_base_folder() / name, hf / name)
    torch.manual_seed(seed)
    LlamaForCausalLM(_config()).save_pretrained(hf)
    records.write(folder / _DATASET, _choose_conversations())
    return hf


def make_config(base: Path) -> dict[str, Any]:
    """What a pipeline's file would say of this model."""
    told = tomllib.loads(Path(__file__).with_name("tiny.toml").read_text(encoding="utf-8"))
    told["model"]["base"] = str(base)
    told["trajectories"]["dataset"] = str(base.with_name(_DATASET))
    return told


def write_config(path: Path, base: Path, **changes: Mapping[str, Any]) -> Path:
    """The pipeline's file, with changes to keys of its sections."""
    told = make_config(base)
    for section, table in changes.items():
        told.setdefault(section, {}).update(table)
    path.write_text("".join(_section(name, table) for name, table in told.items()), encoding="utf-8")
    return path


def _choose_conversations() -> list[Record]:
    kept = list(read_dataset())
    calling = [each for each in kept if each.trajectory.acts]
    return [*calling[:CALLING], next(each for each in kept if not each.trajectory.acts)]


def _section(name: str, table: Mapping[str, Any]) -> str:
    # What JSON and TOML write alike is all that a pipeline holds.
    return f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()) + "\n"


def _config() -> LlamaConfig:
    """Sizes of its own; tokens as the tokenizer numbers them."""
    ours = json.loads((open_base_folder() / "config.json").read_bytes())
    kept = ("vocab_size", "max_position_embeddings", "bos_token_id", "eos_token_id", "pad_token_id", "rms_norm_eps")
    return LlamaConfig(
        **{name: ours[name] for name in kept},
        hidden_size=WIDTH,
        intermediate_size=HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS,
        tie_word_embeddings=False,
        initializer_range=0.06,  # wide enough for logits that differ
        architectures=["LlamaForCausalLM"],
    )


if __name__ == "__main__":
    where = Path(sys.argv[1])
    print(write_config(where / "pipeline.toml", make_model(where)))
