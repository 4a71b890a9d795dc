"""Search, and the vectors kept between runs."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.tools.small_course import ScriptedEmbedder
from tools.embedding.embedders import Role, Vectors
from tools.search.index import Entry, Index
from tools.search.vector_store import VectorStore

ENTRIES = (
    Entry(("DFT",), ("discrete fourier transform of samples",)),
    Entry(("DFS",), ("discrete fourier series of samples",)),
    Entry(("Ideal filters",), ("low pass", "cut all high tones")),
)


def found(index: Index, query: str) -> list[int]:
    return [hit.place for hit in index.search(query)]


def test_the_most_similar_entry_comes_first(tmp_path: Path) -> None:
    index = Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path))
    assert found(index, "high tones")[0] == 2
    assert index.search("high tones")[0].passages[0] == 1


def test_words_tell_apart_what_means_nearly_the_same(tmp_path: Path) -> None:
    class Alike(ScriptedEmbedder):
        """To which all texts are the same."""

        def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
            return np.ones((len(texts), 1), dtype=np.float32)

    index = Index(ENTRIES, VectorStore(Alike(), tmp_path))
    assert found(index, "series of samples")[0] == 1
    assert found(index, "cutting tons")[0] == 2
    by_meaning = Index(ENTRIES, VectorStore(Alike(), tmp_path), by_words=False)
    assert [hit.score for hit in by_meaning.search("series of samples")] == [1.0, 1.0, 1.0]


def test_spelling_is_put_right_for_words_and_names_but_not_for_the_meaning(tmp_path: Path) -> None:
    class Listening(ScriptedEmbedder):
        """Keeps the queries that it was given."""

        def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
            if role == "query":
                heard.extend(texts)
            return super().embed(texts, role)

    heard: list[str] = []
    hits = Index(ENTRIES, VectorStore(Listening(), tmp_path)).search("idael filtres")
    assert (hits[0].place, hits[0].named) == (2, True)
    assert heard == ["idael filtres"]


def test_meaning_counts_less_in_a_language_that_the_embedder_does_not_know(tmp_path: Path) -> None:
    entries = (Entry((), ("Le cadastre. Le registre.",)), Entry((), ("Les bidonvilles.",)))
    foreign, known = (Index(entries, VectorStore(ScriptedEmbedder(), tmp_path), language=name) for name in ("fr", "en"))
    (best, *_), (other, *_) = foreign.search("cadastre"), known.search("cadastre")
    assert best.place == other.place == 0
    assert best.score < other.score


def test_fit_says_that_nothing_fits(tmp_path: Path) -> None:
    index = Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path))
    assert index.search("roman law")[0].fit == 0.0
    assert index.search("cut high tones")[0].fit > 0.9


def test_a_short_name_must_be_spelled_right_and_stand_alone(tmp_path: Path) -> None:
    index = Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path))
    assert [hit.place for hit in index.search("the DFS please") if hit.named] == [1]
    assert not any(hit.named for hit in index.search("dfsx"))


def test_pooling_asks_for_more_than_one_chance_resemblance(tmp_path: Path) -> None:
    entries = (Entry((), ("red apple", "blue sky")), Entry((), ("red cherry tart", "red plum tart")))
    vault = VectorStore(ScriptedEmbedder(), tmp_path)
    assert found(Index(entries, vault, pool=1), "red apple")[0] == 0
    assert found(Index(entries, vault, pool=2), "red")[0] == 1


def test_only_the_places_asked_for_are_searched(tmp_path: Path) -> None:
    index = Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path))
    assert {hit.place for hit in index.search("DFT", within=(1, 2))} == {1, 2}


def test_vectors_are_made_once_and_then_read_from_disk(tmp_path: Path) -> None:
    found(Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path)), "DFT")
    later = ScriptedEmbedder()
    assert found(Index(ENTRIES, VectorStore(later, tmp_path)), "DFT")[0] == 0
    assert later.texts == 1  # the query alone


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_a_damaged_cache_file_is_made_again(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    before = Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path)).search("DFT")
    (file,) = tmp_path.rglob("*.faiss")
    good = file.read_bytes()
    flipped = bytes([*good[:-9], good[-9] ^ 1, *good[-8:]])
    file.write_bytes({"cut": good[: len(good) // 2], "flipped": flipped, "empty": b""}[damage])
    with caplog.at_level(logging.WARNING):
        assert Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path)).search("DFT") == before
    assert "damaged" in caplog.text
    assert file.read_bytes() == good


def test_other_texts_or_another_model_have_vectors_of_their_own(tmp_path: Path) -> None:
    found(Index(ENTRIES, VectorStore(ScriptedEmbedder(), tmp_path)), "DFT")
    other = ScriptedEmbedder(fingerprint="other")
    found(Index(ENTRIES, VectorStore(other, tmp_path)), "DFT")
    found(Index(ENTRIES[:2], VectorStore(other, tmp_path)), "DFT")
    assert other.texts == 4 + 1 + 2 + 1
    assert len(list(tmp_path.rglob("*.faiss"))) == 3


def test_nothing_half_written_is_left_and_a_folder_that_cannot_be_written_does_no_harm(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert found(Index(ENTRIES, VectorStore(ScriptedEmbedder(), blocked)), "DFT")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_environment_says_where_vectors_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "here"))
    found(Index(ENTRIES, VectorStore(ScriptedEmbedder())), "DFT")
    assert list((tmp_path / "here").rglob("*.faiss"))


def test_names_stand_in_a_query_word_by_word_and_a_longer_one_counts_more(tmp_path: Path) -> None:
    names = (("filter", "filter design"), ("stability",), ("DFT",), ("ideal filters",))
    index = Index(tuple(Entry(each, ("a text",)) for each in names), VectorStore(ScriptedEmbedder(), tmp_path))

    def named(query: str) -> set[int]:
        return {hit.place for hit in index.search(query) if hit.named}

    assert named("what is Filter Design?") == {0}
    assert named("an ideal filter") == {0, 3}
    assert found(index, "an ideal filter")[0] == 3
    assert named("design of a dft") == {2}
    assert named("metastability") == set()
