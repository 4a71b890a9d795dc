"""The adapter merged into the weights is the adapter that peft applies."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from finetune.adapters import note_base
from finetune.export.merge import merge_adapter
from scribe.backends.weights import hash_weights
from scribe.plumbing.errors import ModelFileError, UsageError
from tests.finetune.export.tiny_adapter import make_adapter

IDS = list(range(5, 85))


def by_peft(base: Path, adapter: Path) -> Any:
    network = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    return PeftModel.from_pretrained(network, adapter).eval()


def logits(network: Any) -> np.ndarray:
    with torch.inference_mode():
        found: np.ndarray = network(torch.tensor([IDS])).logits[0].numpy()
    return found


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"use_rslora": True},
        {"rank_pattern": {"q_proj": 4, "layers.1.mlp.down_proj": 2}, "alpha_pattern": {"k_proj": 40}},
        {"target_modules": ["q_proj", "k_proj"], "use_rslora": True, "rank_pattern": {"q_proj": 2}},
    ],
    ids=["plain", "rank-stabilised", "patterns", "some modules, each with its own scale"],
)
def test_merging_gives_the_weights_that_peft_gives(base: Path, tmp_path: Path, changes: dict[str, Any]) -> None:
    adapter = make_adapter(base, tmp_path / "adapter", **changes)
    sha256 = merge_adapter(base, adapter, tmp_path / "merged", "f32")
    wanted = by_peft(base, adapter).merge_and_unload().state_dict()
    found = load_file(tmp_path / "merged" / "model.safetensors")
    assert found.keys() <= wanted.keys()
    assert all(torch.allclose(found[name], wanted[name], atol=1e-6) for name in found)
    said = json.loads((tmp_path / "merged" / "merged.json").read_text())
    assert sha256 == hash_weights(tmp_path / "merged") == said["sha256"]


def test_merging_in_bf16_rounds_once_and_says_so(base: Path, adapter: Path, tmp_path: Path) -> None:
    merge_adapter(base, adapter, tmp_path / "long", "f32")
    merge_adapter(base, adapter, tmp_path / "short", "bf16")
    long, short = (load_file(tmp_path / name / "model.safetensors") for name in ("long", "short"))
    assert all(torch.equal(short[name], long[name].bfloat16()) for name in long)
    assert json.loads((tmp_path / "short" / "config.json").read_text())["dtype"] == "bfloat16"
    assert AutoModelForCausalLM.from_pretrained(tmp_path / "short", dtype="auto").dtype is torch.bfloat16


def test_a_sharded_model_stays_in_as_many_files_and_says_the_same(base: Path, tmp_path: Path) -> None:
    sharded = tmp_path / "sharded"
    AutoModelForCausalLM.from_pretrained(base).save_pretrained(sharded, max_shard_size="100KB")
    adapter = make_adapter(sharded, tmp_path / "adapter")
    merge_adapter(sharded, adapter, tmp_path / "merged", "f32")
    files = [sorted(path.name for path in folder.glob("*.safetensors")) for folder in (sharded, tmp_path / "merged")]
    assert files[0] == files[1] and len(files[0]) > 1
    merged = AutoModelForCausalLM.from_pretrained(tmp_path / "merged")
    assert np.abs(logits(merged) - logits(by_peft(sharded, adapter))).max() < 1e-3


def test_an_adapter_of_other_weights_is_refused_and_a_second_stage_takes_the_merged_ones(
    base: Path, adapter: Path, tmp_path: Path
) -> None:
    merge_adapter(base, adapter, tmp_path / "one", "f32")
    second = make_adapter(tmp_path / "one", tmp_path / "second")
    for below, above in ((base, second), (tmp_path / "one", adapter)):
        with pytest.raises(UsageError, match="trained on other weights"):
            merge_adapter(below, above, tmp_path / "no")
    assert not (tmp_path / "no").exists()
    merge_adapter(tmp_path / "one", second, tmp_path / "two", "f32")
    wanted = logits(by_peft(tmp_path / "one", second))
    assert np.abs(logits(AutoModelForCausalLM.from_pretrained(tmp_path / "two")) - wanted).max() < 1e-3


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"use_dora": True}, "use_dora"),
        ({"modules_to_save": ["lm_head"]}, "modules_to_save"),
        ({"target_modules": ["q_proj", "lm_head"]}, "lm_head"),
        ({"target_modules": ["q_proj", "embed_tokens"]}, "embed"),
        ({"bias": "lora_only"}, "biases"),
        ({"lora_bias": True}, "lora_bias"),
        ({"init_lora_weights": "olora"}, "olora"),
    ],
)
def test_what_is_more_than_a_and_b_is_refused(base: Path, tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    adapter = make_adapter(base, tmp_path / "odd", **changes)
    with pytest.raises(UsageError, match=why):
        merge_adapter(base, adapter, tmp_path / "no")
    assert not (tmp_path / "no").exists()


def test_an_adapter_that_does_not_say_its_scale_is_refused(base: Path, adapter: Path, tmp_path: Path) -> None:
    silent = tmp_path / "silent"
    shutil.copytree(adapter, silent)
    config = json.loads((silent / "adapter_config.json").read_text())
    del config["lora_alpha"]
    (silent / "adapter_config.json").write_text(json.dumps(config | {"use_rslora": True}))
    with pytest.raises(UsageError, match="lora_alpha"):
        merge_adapter(base, silent, tmp_path / "no")
    (silent / "adapter_config.json").write_text(json.dumps(config | {"lora_alpha": 16, "r": 4}))
    with pytest.raises(ModelFileError, match="of rank 8"):
        merge_adapter(base, silent, tmp_path / "no")


def test_an_adapter_that_nobody_said_the_base_of_is_refused_until_somebody_does(
    base: Path, adapter: Path, tmp_path: Path
) -> None:
    found = tmp_path / "found"
    shutil.copytree(adapter, found)
    (found / "trained_on.json").unlink()
    with pytest.raises(UsageError, match="note_base"):
        merge_adapter(base, found, tmp_path / "merged")
    note_base(found, base)
    merge_adapter(base, found, tmp_path / "merged")


def test_an_adapter_of_a_model_of_other_sizes_is_refused(base: Path, adapter: Path, tmp_path: Path) -> None:
    """The note beside the adapter names these weights, as somebody may have written it wrongly."""
    other = shutil.copytree(adapter, tmp_path / "other")
    weights = load_file(other / "adapter_model.safetensors")
    name = next(name for name in weights if "q_proj.lora_A" in name)
    wide = {**weights, name: torch.cat([weights[name]] * 2, 1)}
    save_file({key: value.contiguous() for key, value in wide.items()}, other / "adapter_model.safetensors")
    with pytest.raises(UsageError, match=r"the model has no .*q_proj.weight of"):
        merge_adapter(base, other, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
