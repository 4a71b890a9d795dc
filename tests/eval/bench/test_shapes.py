"""Random weights: files that llama.cpp reads, with the tokenizer of the model that comes with Scribe."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gguf import LlamaFileType

from data.pretrained.package import find_base_gguf
from eval.bench import shape_file
from eval.bench.blocks import Q4_0, Q6_K, Q8_0, Format
from eval.bench.shapes import SHAPES, Shape
from scribe.gguf.file import GgufFile
from scribe.gguf.model import GgufModel
from tests.eval.bench.conftest import TINY

WIDE = Shape(1, 256, 256, 4, 2, Q4_0, LlamaFileType.MOSTLY_Q4_0, Q6_K, 49_408)
TEXT = 'Why 14.5 % in *week 4* – "so" bad?\n<|im_end|>'


@pytest.mark.parametrize("shape", [TINY, WIDE])
def test_logits_are_finite_and_differ(shape: Shape, tmp_path: Path) -> None:
    shape_file.write(shape, tmp_path / "model.gguf")
    model = GgufModel(tmp_path / "model.gguf", 512, 1)
    logits = model.evaluate(0, model.chat.encode(TEXT, True))
    assert len(logits) == shape.vocabulary
    assert 0.5 < logits.std() < 2


def test_texts_have_the_tokens_of_the_model_that_comes_with_scribe(random_model: Path) -> None:
    made, ours = GgufFile(random_model), GgufFile(find_base_gguf())
    assert made.size == TINY.vocabulary > ours.size
    for special in (True, False):
        assert made.encode(TEXT, special) == ours.encode(TEXT, special)


def test_the_same_seed_gives_the_same_file(random_model: Path, tmp_path: Path) -> None:
    shape_file.write(TINY, tmp_path / "again.gguf")
    assert (tmp_path / "again.gguf").read_bytes() == random_model.read_bytes()
    shape_file.write(TINY, tmp_path / "again.gguf", seed=1)
    assert (tmp_path / "again.gguf").read_bytes() != random_model.read_bytes()


def test_a_file_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no whole blocks"):
        shape_file.write(replace(TINY, feed=100), tmp_path / "model.gguf")
    assert not list(tmp_path.iterdir())


def test_the_shapes_have_as_many_weights_as_the_models_they_stand_for() -> None:
    def weights(shape: Shape) -> int:
        return sum(rows * width for _, (rows, width), _ in shape.matrices())

    assert round(weights(SHAPES["1b"]) / 1e9, 2) == 1.24
    assert round(weights(SHAPES["8b"]) / 1e9, 2) == 8.03


@pytest.mark.parametrize("how", [Q8_0, Q4_0, Q6_K])
def test_rows_come_in_pieces_that_make_the_matrix(how: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list(how.rows((7, 512), np.random.default_rng(0)))
    assert sum(map(len, made)) == 7
    assert {piece.shape[1] for piece in made} == {how.row_bytes(512)}
