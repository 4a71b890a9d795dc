"""The names of behaviours are gathered once, and only when one is asked about."""

import pytest
from tools.phrases import phrases

from data.catalogue_languages import catalogue_in
from tests.tools.asking import told
from tools import get_feature_description
from tools.search.words import Words


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_are_gathered_once_for_all_students(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    gather = Words.__init__

    def counted(words: Words, spoken: str = "en") -> None:
        made.append(spoken)
        gather(words, spoken)

    monkeypatch.setattr(Words, "__init__", counted)
    get_feature_description._names.cache_clear()
    get_feature_description._words.cache_clear()
    tools = [get_feature_description.make(catalogue_in(language), phrases(language)) for _ in range(3)]
    assert not made
    for tool in tools:
        assert told(tool, "", feature="NumberOfSessions")["name"] == "NumberOfSessions"
    assert made == [language]
