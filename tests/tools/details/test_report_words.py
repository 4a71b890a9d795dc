"""The words of reports and the everyday names of behaviours are explained like features."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from data.bundle import find
from data.catalogue_languages import catalogue_in
from tests.tools.asking import told, vault
from tools import get_feature_description, textbook_search
from tools.phrases import phrases

TOOLS = {each: get_feature_description.make(catalogue_in(each), phrases(each)) for each in ("en", "fr")}


def meaning(language: str, feature: str, asked: str = "") -> dict[str, Any]:
    return told(TOOLS[language], asked, feature=feature)


@pytest.mark.parametrize(
    ("language", "feature", "name"),
    [
        ("en", "Contrast event", "ContrastEvent"),
        ("en", "necesary causes", "NecessaryCauses"),
        ("en", "class median", "Typical"),
        ("en", "percent", "Share"),
        ("en", "the highest tenth of the class", "Tenth"),
        ("fr", "key differences", "KeyDifferences"),
        ("fr", "médiane de la classe", "Typical"),
        ("fr", "causes nécessaires", "NecessaryCauses"),
    ],
)
def test_a_word_of_a_report_is_explained(language: str, feature: str, name: str) -> None:
    said = meaning(language, feature)
    assert list(said) == ["name", "says"]
    assert said["name"] == name


def test_in_a_french_course_an_english_word_is_explained_in_french() -> None:
    assert meaning("fr", "target event")["says"].startswith("« Target event » désigne")


def test_a_word_is_found_in_the_question_where_the_model_garbled_it() -> None:
    assert meaning("en", "imumy", 'what does "contrast event" mean')["name"] == "ContrastEvent"
    assert meaning("en", "imumy", "what is my share of pause clicks")["name"] == "FrequencyEventPause"
    assert "no_data" in meaning("en", "imumy", "what is that")


@pytest.mark.parametrize(
    ("language", "feature", "name"),
    [
        ("en", "share of replays", "AvgReplayedWeeklyProp"),
        ("en", "how late I watch lectures", "DelayLecture"),
        ("en", "trying quizzes early", "CompetencyAnticipation"),
    ],
)
def test_everyday_words_find_the_only_behaviour_that_has_them_all(language: str, feature: str, name: str) -> None:
    assert meaning(language, feature)["name"] == name


@pytest.mark.parametrize(
    "feature", ["happiness", "videos", "share of points", "median of my friends", "weather", "share of dogs"]
)
def test_words_that_fit_none_or_several_behaviours_are_refused_with_close_names(feature: str) -> None:
    said = meaning("en", feature)
    assert list(said) == ["no_data", "try"]
    assert said["no_data"] == "No behaviour has this name."
    assert said["try"].startswith("Close names: ")


def test_a_word_of_many_behaviours_that_reports_use_alone_is_explained_as_such() -> None:
    said = meaning("en", "share")
    assert list(said) == ["name", "says"] and said["name"] == "Share"


@pytest.mark.parametrize(
    ("language", "feature", "group"),
    [
        ("en", "highest tenth", "the ten percent of the class with the largest values"),
        ("en", "lowest quarter", "the twenty-five percent of the class with the largest values"),
        ("fr", "highest tenth", "désigne les dix pour cent de la classe qui ont les valeurs les plus élevées"),
        ("fr", "lowest quarter", "désigne le quart de la classe qui a les valeurs les plus élevées"),
    ],
)
def test_a_tenth_or_a_quarter_is_a_part_of_the_class_and_no_person(language: str, feature: str, group: str) -> None:
    assert group in meaning(language, feature)["says"]


def test_the_meaning_of_influence_is_whole_french() -> None:
    assert "dans quelle mesure le modifier aide à inverser" in meaning("fr", "influence")["says"]


def test_a_behaviour_goes_before_a_word_it_contains() -> None:
    assert meaning("en", "share of pause clicks")["name"] == "FrequencyEventPause"


def test_both_languages_explain_the_same_words_in_one_or_two_sentences_each() -> None:
    folder = files("tools").joinpath("details")
    texts = [folder.joinpath(f"report_words_{each}.toml").read_text(encoding="utf-8") for each in ("en", "fr")]
    english, french = map(tomllib.loads, texts)
    assert list(english) == list(french)
    for entry in (*english.values(), *french.values()):
        assert set(entry) == {"names", "says"}
        assert 1 <= entry["says"].count(". ") + 1 <= 2, entry["says"]


def test_a_word_of_reports_is_explained_where_the_textbook_is_searched_for_it(tmp_path: Path) -> None:
    search = textbook_search.make(find("dsp"), vault(tmp_path))
    assert "report" not in told(search, "what is convolution", query="convolution").get("try", "")
    found = told(search, "contrast event?? what is that", query="contrast event")
    assert found["no_data"] and found["try"] == meaning("en", "contrast event")["says"]
