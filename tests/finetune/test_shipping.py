"""The adapter that comes with Scribe: 16 bits of one that was trained on the base."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from data.pretrained.adapter import Adapter
from data.pretrained.package import FOLDER_SHA256
from finetune.adapters import read_base
from finetune.shipping import ship_adapter
from scribe.backends.weights import TRAINED_ON
from scribe.plumbing.errors import UsageError
from tests.finetune.export.tiny_adapter import make_adapter
from tests.scribe.backends.tiny import make_model


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter that says of itself that it was trained on the base."""
    folder = tmp_path_factory.mktemp("shipping")
    adapter = make_adapter(make_model(folder / "hf", kind="smollm2"), folder / "adapter")
    (adapter / TRAINED_ON).write_text(json.dumps({"sha256": FOLDER_SHA256, "name": "base"}))
    return adapter


def test_it_is_half_as_large_and_adds_the_same(trained: Path, tmp_path: Path) -> None:
    size = ship_adapter(trained, tmp_path / "shipped")
    assert size < 0.6 * (trained / "adapter_model.safetensors").stat().st_size
    before, after = Adapter(trained), Adapter(tmp_path / "shipped")
    assert before.pairs == after.pairs
    assert all(np.abs(before.delta(pair) - after.delta(pair)).max() < 0.01 for pair in before.pairs.values())
    assert read_base(tmp_path / "shipped") == FOLDER_SHA256


def test_it_replaces_the_one_before_and_knows_nothing_of_this_machine(trained: Path, tmp_path: Path) -> None:
    for _ in range(2):
        ship_adapter(trained, tmp_path / "shipped")
    assert [path.name for path in tmp_path.iterdir()] == ["shipped"]
    assert str(tmp_path.parent) not in (tmp_path / "shipped" / "adapter_config.json").read_text()
    assert len(list((tmp_path / "shipped").iterdir())) == 3


def test_one_of_another_base_does_not_ship_and_leaves_what_is_there(trained: Path, tmp_path: Path) -> None:
    ship_adapter(trained, tmp_path / "shipped")
    shutil.copytree(trained, tmp_path / "other")
    (tmp_path / "other" / TRAINED_ON).write_text('{"sha256": "0123"}')
    with pytest.raises(UsageError, match=r"a second stage does not ship"):
        ship_adapter(tmp_path / "other", tmp_path / "shipped")
    assert read_base(tmp_path / "shipped") == FOLDER_SHA256
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="holds something else"):
        ship_adapter(trained, tmp_path / "mine")
