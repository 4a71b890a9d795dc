"""The estimate is made of the real sizes, and the measured step of a random model is a real one."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from finetune.lora import beside_trl, one_step
from finetune.lora.estimate import GIB, Work, card, computed, estimate, lines
from finetune.lora.network import adapted, trained_weights
from finetune.lora.settings import StageSettings
from finetune.lora.shapes import SHAPES, Shape, named, shape_of
from scribe.errors import ModelFileError, UsageError

SETTINGS = StageSettings("single", rank=4, precision="f32", device="cpu")
TINY = Shape(512, 64, 2, 128, 4, 2, 16, tied=True)


def test_the_trainable_weights_of_rank_256_on_eight_billion_are_671_million() -> None:
    assert SHAPES["8b"].adapter_weights(256) == 671_088_640


def test_a_shape_counts_the_weights_that_the_model_has(base: Path) -> None:
    assert shape_of(base) == TINY
    whole = sum(weight.numel() for weight in LlamaForCausalLM(LlamaConfig(**TINY.config())).parameters())
    assert TINY.linear_weights + TINY.table_weights == whole
    trained = trained_weights(adapted(SETTINGS, base))
    assert sum(weight.numel() for weight in trained.values()) == TINY.adapter_weights(4)
    with torch.device("meta"):
        eight = LlamaForCausalLM(LlamaConfig(**SHAPES["8b"].config()))
    assert sum(w.numel() for w in eight.parameters()) == SHAPES["8b"].linear_weights + SHAPES["8b"].table_weights


def test_the_terms_add_up_and_four_bits_and_recomputing_take_less() -> None:
    settings = StageSettings("single")
    plain = estimate(SHAPES["8b"], settings)
    assert plain.gib == pytest.approx(sum(term.value for term in plain.memory) / GIB)
    assert estimate(SHAPES["8b"], replace(settings, nf4=True)).gib < plain.gib - 9
    assert estimate(SHAPES["8b"], replace(settings, recompute=False)).gib > plain.gib + 20
    half = card("80:500")
    assert plain.hours(half) == pytest.approx(plain.hours(card("80:1000")) * 2)
    assert "trainable weights: 671,088,640" in lines(plain, half)[0]
    assert any("does not fit" in line for line in lines(plain, card("l4")))


def test_rows_that_share_a_pass_are_computed_once_where_they_are_alike() -> None:
    work = Work(rows=100, tokens=2000, shared=1500, labels=100)
    assert computed(replace(SETTINGS, together=1), work) == (2000, 2000)
    assert computed(replace(SETTINGS, together=4), work) == (3500, 875)
    assert computed(replace(SETTINGS, together=4, tokens=2600), work) == (2500, 1250)


def test_unknown_shapes_and_cards_are_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one of: 8b, 3b, 1b, 135m"):
        named("9b")
    with pytest.raises(UsageError, match="GiB:TFLOPs or one of: h200"):
        card("abacus")
    with pytest.raises(ModelFileError, match=r"config\.json: not the configuration"):
        shape_of(tmp_path)


def test_a_measured_step_trains_random_weights_of_the_shape() -> None:
    made = one_step.measure(TINY, replace(SETTINGS, rate=1e-2, tokens=4096), Work(4, 60, 40, 8), timed=4)
    assert made["trainable"] == TINY.adapter_weights(4)
    assert (made["row_tokens_a_step"], made["computed_tokens_a_step"]) == (240, 120)
    assert made["losses"][-1] < made["losses"][0] and made["peak_gib"] > 0


def test_beside_trl_both_sides_train_the_same_weights_on_the_same_rows(
    base: Path, examples: Path, tmp_path: Path
) -> None:
    pytest.importorskip("trl", reason="an optional extra")
    settings = replace(SETTINGS, dropout=0.0, rows=4, rate=5e-3, held=0.2, watch=1, recompute=False)
    chosen = beside_trl.chosen(examples, 18, settings)
    ours = beside_trl.ours(settings, chosen, base, tmp_path / "ours")
    theirs = beside_trl.trl(settings, chosen, base, tmp_path / "trl", 2)
    assert (ours["rows"], ours["steps"]) == (theirs["rows"], theirs["steps"]) == (14, 4)
    assert ours["loss_before"] == theirs["loss_before"]
    for side in (ours, theirs):
        assert side["loss"] < side["loss_before"]
    assert ours["loss"] == pytest.approx(theirs["loss"], rel=0.1)
