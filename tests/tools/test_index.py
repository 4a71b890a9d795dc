"""Search, and the vectors kept between runs."""

import logging
from pathlib import Path

import pytest

from tests.tools.small_course import ScriptedEmbedder
from tools.index import Entry, Index, Vault

ENTRIES = (
    Entry(("DFT",), ("discrete fourier transform of samples",)),
    Entry(("DFS",), ("discrete fourier series of samples",)),
    Entry(("Ideal filters",), ("low pass", "cut all high tones")),
)


def found(index: Index, query: str) -> list[int]:
    return [hit.place for hit in index.search(query)]


def test_the_most_similar_entry_comes_first(tmp_path: Path) -> None:
    index = Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path))
    assert found(index, "high tones")[0] == 2
    assert index.search("high tones")[0].passages[0] == 1


def test_a_short_name_must_be_spelled_right_and_stand_alone(tmp_path: Path) -> None:
    index = Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path))
    assert [hit.place for hit in index.search("the DFS please") if hit.named] == [1]
    assert not any(hit.named for hit in index.search("dfsx"))


def test_pooling_asks_for_more_than_one_chance_resemblance(tmp_path: Path) -> None:
    entries = (Entry((), ("red apple", "blue sky")), Entry((), ("red cherry tart", "red plum tart")))
    vault = Vault(ScriptedEmbedder(), tmp_path)
    assert found(Index(entries, vault, pool=1), "red apple")[0] == 0
    assert found(Index(entries, vault, pool=2), "red")[0] == 1


def test_only_the_places_asked_for_are_searched(tmp_path: Path) -> None:
    index = Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path))
    assert {hit.place for hit in index.search("DFT", within=(1, 2))} == {1, 2}


def test_vectors_are_made_once_and_then_read_from_disk(tmp_path: Path) -> None:
    found(Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path)), "DFT")
    later = ScriptedEmbedder()
    assert found(Index(ENTRIES, Vault(later, tmp_path)), "DFT")[0] == 0
    assert later.texts == 1  # the query alone


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_a_damaged_cache_file_is_made_again(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path)).search("DFT")
    (file,) = tmp_path.rglob("*.faiss")
    good = file.read_bytes()
    flipped = bytes([*good[:-9], good[-9] ^ 1, *good[-8:]])
    file.write_bytes({"cut": good[: len(good) // 2], "flipped": flipped, "empty": b""}[damage])
    with caplog.at_level(logging.WARNING):
        assert Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path)).search("DFT") == before
    assert "damaged" in caplog.text
    assert file.read_bytes() == good


def test_other_texts_or_another_model_have_vectors_of_their_own(tmp_path: Path) -> None:
    found(Index(ENTRIES, Vault(ScriptedEmbedder(), tmp_path)), "DFT")
    other = ScriptedEmbedder(fingerprint="other")
    found(Index(ENTRIES, Vault(other, tmp_path)), "DFT")
    found(Index(ENTRIES[:2], Vault(other, tmp_path)), "DFT")
    assert other.texts == 4 + 1 + 2 + 1
    assert len(list(tmp_path.rglob("*.faiss"))) == 3


def test_nothing_half_written_is_left_and_a_folder_that_cannot_be_written_does_no_harm(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert found(Index(ENTRIES, Vault(ScriptedEmbedder(), blocked)), "DFT")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_environment_says_where_vectors_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "here"))
    found(Index(ENTRIES, Vault(ScriptedEmbedder())), "DFT")
    assert list((tmp_path / "here").rglob("*.faiss"))
