"""The real embedding model, as its package ships it, and others from a folder."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from scribe.plumbing.errors import ModelFileError
from tests.tools.embedding.tiny_model import change, save_tiny_model, with_own_code
from tests.tools.small_course import course_with, student
from tools.embedding.embedders import (
    BGE,
    BILINGUAL,
    MINILM,
    MINILM_SHA256,
    RECIPES,
    MiniLM,
    open_embedder,
)
from tools.search.index import Entry, Index
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


def test_rows_have_length_one_and_long_texts_are_cut(minilm: MiniLM) -> None:
    rows = minilm.embed(["a short text", "word " * 5000])
    assert rows.shape == (2, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_meaning_brings_texts_without_a_common_word_together(minilm: MiniLM) -> None:
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
    minilm: MiniLM, tmp_path_factory: pytest.TempPathFactory, plan: str, dimension: str
) -> None:
    vault = VectorStore(minilm, tmp_path_factory.getbasetemp() / "minilm")
    impact = make_toolbox(course_with(student()), "s1", vault).by_name["impact_of_student_behaviors"]
    assert impact.run(query=plan)["dimension"] == dimension


def test_the_fingerprint_costs_no_loading_and_is_that_of_the_weights() -> None:
    assert MiniLM().fingerprint == MINILM_SHA256
    assert MINILM_SHA256.startswith("53aa5117") and MINILM_SHA256.endswith("28d9db")


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="is missing"):
        open_embedder(MINILM, str(tmp_path)).embed(["text"])
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelFileError, match="no sentence-transformers model"):
        open_embedder(MINILM, str(tmp_path)).embed(["text"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def tiny(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy for one test; code that a model brings is kept within the test too."""
    for name in ("transformers.dynamic_module_utils", "transformers.utils"):
        monkeypatch.setattr(f"{name}.HF_MODULES_CACHE", str(tmp_path / "modules"))
    return Path(shutil.copytree(made, tmp_path / "model"))


@pytest.mark.parametrize("name", [BGE, BILINGUAL])
def test_an_embedder_that_is_not_shipped_needs_a_folder_and_says_which(name: str, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=f"{RECIPES[name].source}.*path under .search."):
        open_embedder(name)
    with pytest.raises(ModelFileError, match=f"copy all files of {RECIPES[name].source} there"):
        open_embedder(name, str(tmp_path)).embed(["text"])


def test_bge_gets_its_instruction_before_queries_and_nothing_before_documents(tiny: Path) -> None:
    bge = open_embedder(BGE, str(tiny))
    (query,) = bge.embed(["abc"], role="query")
    bare, told = bge.embed(["abc", RECIPES[BGE].prefix + "abc"])
    assert np.allclose(query, told, atol=1e-6) and not np.allclose(query, bare, atol=1e-3)
    assert np.allclose(bare, open_embedder(MINILM, str(tiny)).embed(["abc"], role="query"), atol=1e-6)
    assert RECIPES[BGE].prefix.startswith("Represent this sentence")


def test_an_instruction_is_not_given_twice_if_the_folder_has_it_too(tiny: Path) -> None:
    before = open_embedder(BGE, str(tiny)).embed(["abc"], role="query")
    change(tiny / "config_sentence_transformers.json", prompts={"query": "again: ", "document": ""})
    assert np.allclose(open_embedder(BGE, str(tiny)).embed(["abc"], role="query"), before, atol=1e-6)


def test_code_in_the_folder_runs_for_the_model_that_needs_it_and_for_no_other(tiny: Path) -> None:
    plain = open_embedder(MINILM, str(tiny)).embed(["abc", "xyz abc"])
    with_own_code(tiny)
    with pytest.raises(ModelFileError, match="no sentence-transformers model"):
        open_embedder(BGE, str(tiny)).embed(["abc"])
    # Its token types are zero although nothing in the folder says so.
    assert np.allclose(open_embedder(BILINGUAL, str(tiny)).embed(["abc", "xyz abc"]), plain, atol=1e-5)


def test_code_from_elsewhere_is_refused(tiny: Path) -> None:
    with_own_code(tiny, before="somebody/code--")
    with pytest.raises(ModelFileError, match="if it wants code from elsewhere, read that code"):
        open_embedder(BILINGUAL, str(tiny)).embed(["abc"])


def test_vectors_of_another_embedder_are_not_taken_for_those_of_minilm(tiny: Path) -> None:
    bge = open_embedder(BGE, str(tiny))
    assert bge.fingerprint != MINILM_SHA256 and len(bge.fingerprint) == 64
    assert bge.languages == ("en",) and open_embedder(BILINGUAL, str(tiny)).languages == ("en", "fr")


@pytest.mark.parametrize("query", ["", " ", "\0", "?!…", "🦆🦆", "word " * 2000, "\ud800", "é́́"])
def test_any_text_can_be_searched_for(minilm: MiniLM, tmp_path: Path, query: str) -> None:
    entries = (Entry(("DFT",), ("discrete fourier transform",)), Entry(("Aliasing",), ("frequencies that fold",)))
    hits = Index(entries, VectorStore(minilm, tmp_path)).search(query)
    assert {hit.place for hit in hits} == {0, 1}
    assert not any(hit.named for hit in hits)
