"""Going on from a model with another vocabulary."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from finetune import transplant, vocabulary
from finetune.network import Network, Shape
from scribe.errors import UsageError


def tokenizer(*texts: str) -> Tokenizer:
    return vocabulary.train([text for text in texts for _ in range(4)], 1500)


def saved(folder: Path, tokens: Tokenizer, width: int = 128) -> Network:
    torch.manual_seed(1)
    network = Network(Shape(tokens.get_vocab_size(), width))
    vocabulary.save(tokens, folder)
    save_file({name: w.contiguous() for name, w in network.state_dict().items()}, folder / "model.safetensors")
    return network


def test_what_was_learned_stays_and_new_words_begin_as_at_birth(tmp_path: Path) -> None:
    old, new = tokenizer("the week was good"), tokenizer("the week was good", "la semaine était bonne")
    before, now = saved(tmp_path, old), Network(Shape(new.get_vocab_size(), 128))
    born = now.lm_head.weight.detach().clone()
    kept = transplant.take(now, new, tmp_path)
    assert kept < new.get_vocab_size()
    week, semaine = (new.token_to_id(token) for token in ("Ġweek", "Ġsemaine"))
    assert torch.equal(now.lm_head.weight[week], before.lm_head.weight[old.token_to_id("Ġweek")])
    assert torch.equal(now.lm_head.weight[semaine], born[semaine])
    for name, weight in now.state_dict().items():
        assert name in transplant.TABLES or torch.equal(weight, before.state_dict()[name])


def test_another_shape_is_refused(tmp_path: Path) -> None:
    tokens = tokenizer("the week was good")
    saved(tmp_path, tokens)
    with pytest.raises(UsageError, match=r"has the shape \(\d+, 128\), not \(\d+, 192\)"):
        transplant.take(Network(Shape(tokens.get_vocab_size(), 192)), tokens, tmp_path)


def test_a_model_with_more_layers_and_no_model_are_refused(tmp_path: Path) -> None:
    tokens = tokenizer("the week was good")
    saved(tmp_path, tokens)
    with pytest.raises(UsageError, match="is in only one of the two"):
        transplant.take(Network(Shape(tokens.get_vocab_size(), 128, layers=5)), tokens, tmp_path)
    with pytest.raises(UsageError, match="no model in"):
        transplant.take(Network(Shape(tokens.get_vocab_size(), 128)), tokens, tmp_path / "nowhere")
