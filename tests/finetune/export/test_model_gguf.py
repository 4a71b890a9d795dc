"""The GGUF file computes what the model computes."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from finetune.export import export_gguf
from finetune.export.model_gguf import count_matrix_types
from finetune.settings import Quantization
from scribe.gguf.model import GgufModel
from scribe.plumbing.errors import ModelFileError, UsageError
from tests.scribe.backends.tiny import make_model

IDS = list(range(5, 85))


@pytest.fixture(scope="module", params=[(True, "llama3"), (False, "llama3"), (True, "smollm2")], ids=str)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tied, kind = request.param
    return make_model(tmp_path_factory.mktemp("export") / "model", tied, seed=1, kind=kind)


@pytest.mark.parametrize(("quantization", "tolerance"), [("f16", 0.03), ("q8_0", 0.6)])
def test_the_logits_agree(folder: Path, tmp_path: Path, quantization: Quantization, tolerance: float) -> None:
    path = export_gguf(folder, tmp_path / "model.gguf", quantization)
    found = GgufModel(path, 512, threads=1)
    with torch.inference_mode():
        wanted = AutoModelForCausalLM.from_pretrained(folder)(torch.tensor([IDS])).logits[0].numpy()
    for at in (0, 1, 17, 79):
        logits = found.evaluate(0, IDS[: at + 1])
        assert np.abs(logits - wanted[at]).max() < tolerance
        if quantization == "f16":
            assert logits.argmax() == wanted[at].argmax()


def test_eight_bits_make_a_smaller_file_and_leave_nothing_else(folder: Path, tmp_path: Path) -> None:
    half = export_gguf(folder, tmp_path / "half.gguf")
    eight = export_gguf(folder, tmp_path / "eight.gguf", "q8_0")
    assert eight.stat().st_size < 0.75 * half.stat().st_size
    assert sorted(path.name for path in tmp_path.iterdir()) == ["eight.gguf", "half.gguf"]


def changed(folder: Path, to: Path, file: str, **values: object) -> Path:
    shutil.copytree(folder, to)
    data = json.loads((to / file).read_text())
    (to / file).write_text(json.dumps({**data, **values}))
    return to


def logits(folder: Path) -> np.ndarray:
    """Of every id, by transformers."""
    with torch.inference_mode():
        network = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        found: np.ndarray = network(torch.tensor([IDS])).logits[0].numpy()
    return found


def test_rope_scaled_as_in_llama_3_1_computes_what_transformers_does(folder: Path, tmp_path: Path) -> None:
    scaling = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
    rope = {"rope_type": "llama3", "rope_theta": 500_000.0, **scaling}
    scaled = changed(folder, tmp_path / "scaled", "config.json", rope_parameters=rope)
    found = GgufModel(export_gguf(scaled, tmp_path / "scaled.gguf"), 512, threads=1)
    wanted, unscaled = logits(scaled)[79], logits(folder)[79]
    assert np.abs(wanted - unscaled).max() > 0.1
    assert np.abs(found.evaluate(0, IDS) - wanted).max() < 0.03


def test_the_settings_of_transformers_4_are_understood(folder: Path, tmp_path: Path) -> None:
    scaling = {"factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
    new = {"rope_type": "llama3", "rope_theta": 500_000.0, **scaling}
    old = {"rope_theta": 500_000.0, "rope_scaling": {"rope_type": "llama3", **scaling}, "rope_parameters": None}
    paths = [
        export_gguf(changed(folder, tmp_path / name, "config.json", **values), tmp_path / name / "same.gguf")
        for name, values in (("new", {"rope_parameters": new}), ("old", old))
    ]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_weights_in_several_files_give_the_same_file_as_in_one(folder: Path, tmp_path: Path) -> None:
    sharded = tmp_path / "sharded"
    AutoModelForCausalLM.from_pretrained(folder).save_pretrained(sharded, max_shard_size="100KB")
    shutil.copy2(folder / "tokenizer.json", sharded)
    assert len(list(sharded.glob("*.safetensors"))) > 1
    one, many = export_gguf(folder, tmp_path / "a" / "m.gguf"), export_gguf(sharded, tmp_path / "b" / "m.gguf")
    wanted, found = (GgufModel(path, 512, threads=1).evaluate(0, IDS) for path in (one, many))
    assert (wanted == found).all()
    next(iter(sorted(sharded.glob("*.safetensors")))).unlink()
    with pytest.raises(ModelFileError, match="00001-of"):
        export_gguf(sharded, tmp_path / "no.gguf")


def test_rows_that_k_quants_do_not_divide_are_stored_in_more_bits_and_counted(folder: Path, tmp_path: Path) -> None:
    path = export_gguf(folder, tmp_path / "four.gguf", "q4_k_m")
    assert not {"Q4_K", "F16"} & set(count_matrix_types(path))  # 64 and 128 are no multiples of 256
    assert [each.name for each in tmp_path.iterdir()] == ["four.gguf"]
    found = GgufModel(path, 512, threads=1).evaluate(0, IDS)
    assert 0.01 < np.abs(found - logits(folder)[79]).max() < 3


@pytest.mark.parametrize(
    ("file", "values", "why"),
    [
        ("config.json", {"rope_parameters": {"rope_type": "yarn", "factor": 8.0, "rope_theta": 5e5}}, "yarn"),
        ("config.json", {"model_type": "qwen2"}, "qwen2"),
        ("config.json", {"attention_bias": True}, "biases"),
        ("config.json", {"hidden_act": "gelu"}, "gelu"),
        ("config.json", {"quantization_config": {"load_in_4bit": True}}, "quantized"),
        ("config.json", {"vocab_size": 100}, "100 tokens"),
        ("config.json", {"num_hidden_layers": 1}, "left out"),
        ("tokenizer.json", {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}}, "as Llama 3"),
        ("tokenizer.json", {"normalizer": {"type": "Lowercase"}}, "change nothing"),
        ("tokenizer.json", {"added_tokens": []}, "so the chat cannot use it"),
    ],
)
def test_what_would_compute_something_else_is_refused(
    folder: Path, tmp_path: Path, file: str, values: dict[str, object], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        export_gguf(changed(folder, tmp_path / "odd", file, **values), tmp_path / "no.gguf")
    assert not list(tmp_path.glob("*no.gguf*"))


def test_a_missing_weight_is_named_and_leaves_no_half_file(folder: Path, tmp_path: Path) -> None:
    deeper = changed(folder, tmp_path / "deep", "config.json", num_hidden_layers=3)
    with pytest.raises(ModelFileError, match=r"model\.layers\.2"):
        export_gguf(deeper, tmp_path / "deep.gguf")
    assert not list(tmp_path.glob("*deep.gguf*"))


def test_weights_that_sixteen_bits_cannot_hold_are_refused(folder: Path, tmp_path: Path) -> None:
    broken = changed(folder, tmp_path / "broken", "config.json")
    weights = load_file(broken / "model.safetensors")
    weights["model.layers.1.mlp.up_proj.weight"][3, 4] = 1e6
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelFileError, match=r"layers\.1\.mlp\.up_proj"):
        export_gguf(broken, tmp_path / "broken.gguf")
