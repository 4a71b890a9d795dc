"""The real embedding model, as its package ships it."""

from pathlib import Path

import numpy as np
import pytest

from scribe.errors import ModelFileError
from tests.tools.small_course import course_with, student
from tools.build import toolbox
from tools.embedder import MINILM_SHA256, SentenceEmbedder
from tools.index import Vault


@pytest.fixture(scope="module")
def minilm() -> SentenceEmbedder:
    return SentenceEmbedder()


def test_rows_have_length_one_and_long_texts_are_cut(minilm: SentenceEmbedder) -> None:
    rows = minilm.embed(["a short text", "word " * 5000])
    assert rows.shape == (2, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_meaning_brings_texts_without_a_common_word_together(minilm: SentenceEmbedder) -> None:
    query = minilm.embed(["handing in my assignment after the deadline"], role="query")
    late, noise = minilm.embed(["Late homework loses points.", "The JPEG standard compresses pictures."])
    assert float(query[0] @ late) > float(query[0] @ noise) + 0.2


@pytest.mark.parametrize(
    ("plan", "dimension"),
    [
        ("studying at the same hour every day", "Regularity"),
        ("watching lectures as soon as they come out", "Proactivity"),
        ("putting in more hours", "Effort"),
        ("solving quizzes in fewer attempts", "Assessment"),
        ("being more consistent", "Consistency"),
    ],
)
def test_plans_in_students_words_reach_their_dimension(
    minilm: SentenceEmbedder, tmp_path_factory: pytest.TempPathFactory, plan: str, dimension: str
) -> None:
    vault = Vault(minilm, tmp_path_factory.getbasetemp() / "minilm")
    impact = toolbox(course_with(student()), "s1", vault).by_name["impact_of_student_behaviors"]
    assert impact.run(query=plan)["dimension"] == dimension


def test_the_fingerprint_costs_no_loading_and_is_that_of_the_weights() -> None:
    assert SentenceEmbedder().fingerprint == MINILM_SHA256
    assert MINILM_SHA256.startswith("53aa5117") and MINILM_SHA256.endswith("28d9db")


def test_weights_that_are_not_the_expected_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(ModelFileError, match="install the model again"):
        SentenceEmbedder(tmp_path, sha256=MINILM_SHA256).embed(["text"])


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="is missing"):
        SentenceEmbedder(tmp_path).embed(["text"])
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelFileError, match="no sentence-transformers model"):
        SentenceEmbedder(tmp_path).embed(["text"])
