"""The adapter that comes with Scribe, merged into the base's file without torch."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from data.pretrained.adapter import Adapter
from data.pretrained.package import find_base_gguf
from data.pretrained.shipped import merge_gguf, open_shipped_gguf
from finetune.export import export_gguf
from finetune.export.parity import ExportedModel
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.progress import ignore_progress
from tests.finetune.export.tiny_adapter import make_adapter
from tests.scribe.backends.tiny import make_model

IDS = list(range(5, 85))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("shipped") / "hf", seed=4, kind="smollm2")


@pytest.fixture(scope="module")
def learned(small: Path) -> Path:
    return make_adapter(small, small.with_name("adapter"), use_rslora=True)


@pytest.fixture(scope="module")
def file(small: Path) -> Path:
    return export_gguf(small, small.with_name("base.gguf"))


def by_peft(base: Path, adapter: Path) -> np.ndarray:
    network = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32), adapter)
    with torch.inference_mode():
        found: np.ndarray = network(torch.tensor([IDS])).logits[0].numpy()
    return found


def by_llama(path: Path) -> np.ndarray:
    return np.concatenate(list(ExportedModel(path, 512, 1).compute_logits(IDS)))


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_llama_cpp_computes_of_the_merged_file_what_peft_computes(
    small: Path, learned: Path, file: Path, tmp_path: Path
) -> None:
    wanted = by_peft(small, learned)
    merge_gguf(file, Adapter(learned), tmp_path / "merged.gguf", ignore_progress)
    assert likeness(by_llama(file), wanted) < 0.5
    assert likeness(by_llama(tmp_path / "merged.gguf"), wanted) > 0.99


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_an_adapter_in_sixteen_bits_is_read_as_torch_reads_it(
    learned: Path, tmp_path: Path, dtype: torch.dtype
) -> None:
    shutil.copytree(learned, tmp_path / "short")
    path = tmp_path / "short" / "adapter_model.safetensors"
    save_file({name: weights.to(dtype) for name, weights in load_file(path).items()}, path)
    adapter, wanted = Adapter(tmp_path / "short"), load_file(path)
    pair = adapter.pairs["model.layers.1.self_attn.k_proj.weight"]
    for name, found in zip("AB", adapter.matrices(pair), strict=True):
        stem = "base_model.model.model.layers.1.self_attn.k_proj.lora"
        assert torch.equal(torch.from_numpy(found), wanted[f"{stem}_{name}.weight"].float())


def test_the_merged_file_keeps_tokenizer_and_chat_format(file: Path, learned: Path, tmp_path: Path) -> None:
    merge_gguf(file, Adapter(learned), tmp_path / "merged.gguf", ignore_progress)
    before, after = (ExportedModel(path, 512, 1).chat for path in (file, tmp_path / "merged.gguf"))
    assert before.format is after.format
    assert before.encode("Week 12 <|im_end|>", True) == after.encode("Week 12 <|im_end|>", True)


def test_an_adapter_of_a_larger_model_is_refused(small: Path, file: Path, tmp_path: Path) -> None:
    config = json.loads((small / "config.json").read_text()) | {"num_hidden_layers": 3}
    larger = AutoModelForCausalLM.from_config(AutoModelForCausalLM.from_pretrained(small).config.from_dict(config))
    larger.save_pretrained(tmp_path / "larger")
    other = make_adapter(tmp_path / "larger", tmp_path / "other")
    with pytest.raises(UsageError, match=r"the base model has no blk\.2"):
        merge_gguf(file, Adapter(other), tmp_path / "no.gguf", ignore_progress)


def test_an_adapter_that_gives_what_is_no_number_is_refused(learned: Path, file: Path, tmp_path: Path) -> None:
    shutil.copytree(learned, tmp_path / "broken")
    path = tmp_path / "broken" / "adapter_model.safetensors"
    weights = load_file(path)
    next(iter(weights.values()))[0, 0] = torch.nan
    save_file(weights, path)
    with pytest.raises(ModelFileError, match="is no number"):
        merge_gguf(file, Adapter(tmp_path / "broken"), tmp_path / "no.gguf", ignore_progress)


def test_without_an_adapter_what_ships_is_the_base_as_it_comes(tmp_path: Path) -> None:
    assert open_shipped_gguf(tmp_path / "none") == find_base_gguf()


def test_an_adapter_of_other_weights_does_not_ship(learned: Path) -> None:
    with pytest.raises(ModelFileError, match="a second stage does not ship"):
        open_shipped_gguf(learned)
