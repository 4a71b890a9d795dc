"""MiniLM changed for the hints: what was trained is what is used."""

from pathlib import Path

import numpy as np
import pytest
import torch

from finetune.hints import Sample
from finetune.hints.tuning import Encoder, tune
from scribe.errors import ModelFileError
from tools.embedder import MINILM_SHA256, MiniLM
from tools.minilm import WORDS
from tools.reading.hints import Hints
from tools.reading.known_questions import Known
from tools.reading.reader import ChangedMiniLM, embedder_for, load, save

TEXTS = ("why was week 3 so bad?", "explain sampling", "pourquoi la semaine 3", "c'est quoi l'échantillonnage")
KINDS = ("what went wrong in a week", "what a topic means")


@pytest.fixture(scope="module")
def sample() -> Sample:
    texts = TEXTS * 8
    known = tuple(Known(text, KINDS["3" not in text]) for text in texts)
    vectors = np.zeros((len(texts), 1), np.float32)
    return Sample(texts, vectors, (None,) * len(texts), known, (None,) * len(texts))


def test_an_encoder_that_has_learned_nothing_is_minilm() -> None:
    encoder = Encoder().eval()
    with torch.no_grad():
        ours = encoder(encoder.ids(TEXTS)).numpy()
    np.testing.assert_allclose(ours, MiniLM().embed(TEXTS, "query"), atol=1e-5)
    assert all(not up.any() for up, _ in encoder.changes().values()) and len(encoder.changes()) == 37


def test_every_change_is_applied_as_it_was_trained() -> None:
    encoder = Encoder().eval()
    torch.manual_seed(1)
    with torch.no_grad():
        for name, weight in encoder.named_parameters():
            if "lora_" in name:
                weight.copy_(torch.randn_like(weight) * 0.02)
        ours = encoder(encoder.ids(TEXTS)).numpy()
    changes = dict(encoder.changes())
    np.testing.assert_allclose(ChangedMiniLM(changes).embed(TEXTS, "query"), ours, atol=1e-4)
    del changes[WORDS]
    assert np.abs(ChangedMiniLM(changes).embed(TEXTS, "query") - ours).max() > 1e-3


def test_what_was_learned_is_what_is_read(sample: Sample, tmp_path: Path) -> None:
    losses: list[float] = []
    head = tune(sample, lambda done, total, loss: losses.append(loss), passes=60)
    assert len(losses) == 30 and losses[-1] < losses[0]
    save(head, tmp_path / "hints.npz")
    again = load(tmp_path / "hints.npz")
    embedder = embedder_for(again, MiniLM())
    assert isinstance(embedder, ChangedMiniLM) and embedder.fingerprint == again.fingerprint != MINILM_SHA256
    hints = Hints(embedder, again)
    assert [hints(one.wording) for one in sample.known[:4]] == [one.asks for one in sample.known[:4]]
    plain = MiniLM().embed(TEXTS, "query")
    assert np.abs(embedder.embed(TEXTS, "query") - plain).max() > 0.01  # and the search's own is as it was


def test_changes_of_what_is_not_there_are_refused_each_time() -> None:
    two = np.ones((384, 2), np.float32), np.ones((2, 384), np.float32)
    for name in ("encoder.layer.9.attention.self.query", "embeddings.position_embeddings", WORDS):
        embedder = ChangedMiniLM({name: two})
        for _ in range(2):
            with pytest.raises(ModelFileError, match="the hints change what MiniLM does not have"):
                embedder.embed(["why?"], "query")
