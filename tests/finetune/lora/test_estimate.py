"""The estimate is made of the real sizes."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import LlamaForCausalLM

from finetune.llama import (
    SHAPES,
    count_adapter_weights,
    count_linear_weights,
    count_table_weights,
    find_shape,
    read_llama,
)
from finetune.lora.estimate import GIB, TrainingWork, count_computed, estimate_training, find_card, format_estimate
from finetune.lora.network import list_trained_weights, load_network
from finetune.settings import StageSettings
from scribe.plumbing.errors import ModelFileError, UsageError

SETTINGS = StageSettings("single", rank=4, precision="f32", device="cpu")


def test_the_trainable_weights_of_rank_256_on_eight_billion_are_671_million() -> None:
    assert count_adapter_weights(SHAPES["8b"], 256) == 671_088_640


def test_a_shape_counts_the_weights_that_the_model_has(base: Path) -> None:
    tiny = read_llama(base)
    for shape in (tiny, SHAPES["8b"], SHAPES["135m"]):
        with torch.device("meta"):
            whole = sum(weight.numel() for weight in LlamaForCausalLM(shape).parameters())
        assert count_linear_weights(shape) + count_table_weights(shape) == whole
    trained = list_trained_weights(load_network(SETTINGS, base))
    assert sum(weight.numel() for weight in trained.values()) == count_adapter_weights(tiny, 4)


def test_the_terms_add_up_and_four_bits_and_recomputing_take_less() -> None:
    settings = StageSettings("single")
    plain = estimate_training(SHAPES["8b"], settings)
    assert plain.gib == pytest.approx(sum(term.value for term in plain.memory) / GIB)
    assert estimate_training(SHAPES["8b"], replace(settings, load_in_4bit=True)).gib < plain.gib - 9
    assert estimate_training(SHAPES["8b"], replace(settings, gradient_checkpointing=False)).gib > plain.gib + 20
    told = format_estimate(plain, find_card("80"))
    assert "trainable weights: 671,088,640" in told[0]
    assert "80 has 80: fits" in told[-1]
    assert "l4 has 24: does not fit" in format_estimate(plain, find_card("l4"))[-1]


def test_rows_that_share_a_pass_are_computed_once_where_they_are_alike() -> None:
    work = TrainingWork(rows=100, tokens=2000, shared=1500, labels=100)
    assert count_computed(replace(SETTINGS, micro_batch_size=1), work) == 2000
    assert count_computed(replace(SETTINGS, micro_batch_size=4), work) == 3500
    assert count_computed(replace(SETTINGS, micro_batch_size=4, max_tokens_per_batch=2600), work) == 2500


def test_unknown_shapes_and_cards_are_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one of: 8b, 3b, 1b, 135m"):
        find_shape("9b")
    with pytest.raises(UsageError, match="its GiB or one of: h200"):
        find_card("abacus")
    with pytest.raises(ModelFileError, match=r"config\.json"):
        read_llama(tmp_path)


@pytest.mark.parametrize("card", ["nan", "inf", "-8", "0", "nan:5", "1e9", "8GB"])
def test_a_card_has_a_size(card: str) -> None:
    with pytest.raises(UsageError, match="there is no card"):
        find_card(card)
