"""The GGUF file computes what the model computes."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from finetune.export import Quantization, export_gguf
from scribe.backends.gguf_model import GgufModel
from scribe.errors import ModelFileError, UsageError
from tests.scribe.backends.tiny import make_model

IDS = list(range(5, 85))


@pytest.fixture(scope="module", params=[True, False], ids=["tied", "untied"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("export") / "model", tied=request.param, seed=1)


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


def test_what_would_compute_something_else_is_refused(folder: Path, tmp_path: Path) -> None:
    scaled = {"rope_parameters": {"rope_type": "llama3", "factor": 8.0, "rope_theta": 500000.0}}
    split = {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}}
    for name, file, values in (
        ("scaled", "config.json", scaled),
        ("other", "config.json", {"model_type": "qwen2"}),
        ("split", "tokenizer.json", split),
    ):
        with pytest.raises(UsageError):
            export_gguf(changed(folder, tmp_path / name, file, **values), tmp_path / "no.gguf")
    assert not list(tmp_path.glob("no.gguf*"))


def test_a_missing_weight_is_named_and_leaves_no_half_file(folder: Path, tmp_path: Path) -> None:
    deeper = changed(folder, tmp_path / "deep", "config.json", num_hidden_layers=3)
    with pytest.raises(ModelFileError, match=r"model\.layers\.2"):
        export_gguf(deeper, tmp_path / "deep.gguf")
    assert not list(tmp_path.glob("deep.gguf*"))
