"""What is measured is real training."""

from dataclasses import replace
from pathlib import Path

import pytest

from finetune.bench import beside_trl
from finetune.examples.rows import write_rows
from finetune.settings import StageSettings
from tests.finetune.conversation import make_rows
from tests.scribe.backends.tiny import make_model

SETTINGS = StageSettings("single", rank=4, precision="f32", device="cpu")


def test_beside_trl_both_sides_train_the_same_weights_on_the_same_rows(
    tmp_path: Path,
) -> None:
    pytest.importorskip("trl", reason="an optional extra")
    base, examples = make_model(tmp_path / "base"), tmp_path / "examples.parquet"
    write_rows(examples, make_rows(base))
    settings = replace(
        SETTINGS,
        dropout=0.0,
        batch_size=4,
        learning_rate=5e-3,
        validation_split=0.2,
        eval_count=1,
        gradient_checkpointing=False,
    )
    chosen = beside_trl.choose_examples(examples, 18, settings)
    ours = beside_trl.train_ours(settings, chosen, base, tmp_path / "ours")
    theirs = beside_trl.train_trl(settings, chosen, base, tmp_path / "trl", 2)
    assert (ours["rows"], ours["steps"]) == (theirs["rows"], theirs["steps"]) == (14, 4)
    assert ours["loss_before"] == theirs["loss_before"]
    for side in (ours, theirs):
        assert side["loss"] < side["loss_before"]
    assert ours["loss"] == pytest.approx(theirs["loss"], rel=0.1)
