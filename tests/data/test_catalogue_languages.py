"""The catalogue in French: the same features, told as a Swiss lecturer would."""

import dataclasses
import re

import pytest

from data.catalogue import Catalogue, Feature, load_catalogue
from data.catalogue_languages import catalogue_in, french_number


@pytest.fixture(scope="module")
def french() -> Catalogue:
    return catalogue_in("fr")


def test_only_words_differ_from_the_english_catalogue(french: Catalogue) -> None:
    told = {"label", "description", "unit", "missing", "below_zero", "aliases", "article"}
    for own, english in zip(french, load_catalogue(), strict=True):
        for field in dataclasses.fields(Feature):
            same = getattr(own, field.name) == getattr(english, field.name)
            assert same or field.name in told, (own.name, field.name)
        assert own.description != english.description and own.missing != english.missing


def test_a_feature_answers_to_both_its_labels(french: Catalogue) -> None:
    for feature in load_catalogue():
        assert french.by_name(feature.label).name == feature.name
        assert french.by_name(feature.code).name == feature.name


def test_a_language_without_texts_is_told_in_english() -> None:
    assert catalogue_in("de") is catalogue_in("en") is load_catalogue()


def test_labels_are_unique_singular_and_go_with_their_article(french: Catalogue) -> None:
    assert len({feature.label for feature in french}) == len(french.features)
    for one in (*french, *french.dimensions):
        assert (one.article == "l'") == (one.label[0] in "aeiouyéè"), one.label
        assert one.article in ("le", "la", "l'") and re.fullmatch(r"[a-zéèêàîç' -]+", one.label), one.label
    # A phrase says "de {the}" of a dimension, which "le" would melt into.
    assert all(one.article != "le" for one in french.dimensions)


def test_descriptions_go_on_after_the_label_and_address_the_student_as_vous(french: Catalogue) -> None:
    for feature in french:
        assert re.fullmatch(r"(Mesure|Compte|Additionne) [^.]+\.", feature.description), feature.name
        assert not re.search(r"\b(tu|ton|tes|ta|toi)\b", f"{feature.description} {feature.missing}"), feature.name
    for side in french.dimensions:
        assert side.definition.lower().startswith(side.the) and side.advice.endswith(".")


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("TotalTimeSessions", 5100, "85 minutes"),
        ("NumberOfSessions", 1, "1 séance"),
        ("NumberOfSessions", 0, "0 séance"),
        ("AvgPauseDuration", 90, "1,5 minute"),
        ("StudentShape", 0.4, "40 pour cent"),
        ("StudentShape", 0.002, "moins de 1 pour cent"),
        ("TotalClicks", 1234, "1200 clics"),
        ("TotalClicks", 12_345, "12 mille clics"),
        ("TotalClicks", 2_340_000, "2,3 millions de clics"),
        ("RatioClicksWeekendDay", 2.46, "2,5 fois"),
        ("DelayLecture", 1000, "moins d'une heure"),
        ("DelayLecture", -1000, "moins d'une heure d'avance"),
        ("DelayLecture", -5 * 3600, "5 heures d'avance"),
        ("DelayLecture", -3600, "1 heure d'avance"),
        ("AvgPauseDuration", 1, "moins de 0,1 minute"),
    ],
)
def test_values_are_said_with_commas_and_french_plurals(french: Catalogue, name: str, raw: float, said: str) -> None:
    assert french.by_name(name).shown(raw) == said


def test_no_rounding_makes_a_number_of_another_size() -> None:
    assert [french_number(value, 0) for value in (999.4, 999.6, 9_949, 9_951, 999_499)] == [
        "999", "1000", "9900", "10 mille", "999 mille",
    ]  # fmt: skip
    assert french_number(999_501, 0) == "1 million"
