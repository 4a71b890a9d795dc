"""The catalogue covers the published features once each and says values as a person would."""

import math
import re

import pytest

from data.catalogue import Catalogue, Dimension, Feature, UnknownFeature, load_catalogue, spoken


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_the_45_published_columns_are_44_features(catalogue: Catalogue) -> None:
    codes = [feature.code for feature in catalogue]
    columns = {*codes, *(alias for feature in catalogue for alias in feature.aliases if "_Video" in alias)}
    assert len(codes) == 44
    assert len(columns) == 45
    assert len({feature.name for feature in catalogue}) == 44


def test_every_feature_belongs_to_a_dimension_and_has_a_unit_and_a_lower_bound(catalogue: Catalogue) -> None:
    for feature in catalogue:
        assert feature in catalogue.of_dimension(feature.dimension or ""), feature.name
        assert re.fullmatch(r"[a-z]+( [a-z]+)*", feature.unit), feature.name
        assert math.isfinite(feature.minimum) and feature.minimum < feature.maximum, feature.name


def test_the_doubled_video_clicks_are_one_feature(catalogue: Catalogue) -> None:
    assert catalogue.by_name("total_clicks_video") is catalogue.by_name("total_clicks_Video")
    assert catalogue.by_name("TotalClicksVideoConati").name == "TotalClicksVideo"


def test_labels_are_unique_short_and_plain(catalogue: Catalogue) -> None:
    labels = [feature.label for feature in catalogue]
    assert len(set(labels)) == len(labels)
    for label in labels:
        assert re.fullmatch(r"[a-z]+( [a-z]+){1,4}", label), label


def test_descriptions_are_one_plain_sentence_that_starts_with_what_is_measured(catalogue: Catalogue) -> None:
    for feature in catalogue:
        text = feature.description
        assert re.fullmatch(r"(Counts|Measures|Adds up) [A-Za-z0-9 ,;]+\.", text), feature.name
        assert 10 <= len(text.split()) <= 22, feature.name


def test_every_feature_says_what_a_missing_value_means(catalogue: Catalogue) -> None:
    for feature in catalogue:
        assert feature.missing.endswith("."), feature.name
        assert 3 <= len(feature.missing.split()) <= 16, feature.name


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("TotalTimeSessions", 5100, "85 minutes"),
        ("NumberOfSessions", 12, "12 sessions"),
        ("NumberOfSessions", 1, "1 session"),
        ("NumberOfSessions", 0, "0 sessions"),
        ("StudentShape", 0.4, "40 percent"),
        ("StudentShape", 0.285, "29 percent"),
        ("StudentShape", 0.002, "less than 1 percent"),
        ("TotalClicks", 999, "999 clicks"),
        ("TotalClicks", 1234, "1.2 thousand clicks"),
        ("TotalClicks", 123_456, "123 thousand clicks"),
        ("TotalClicks", 999_700, "1 million clicks"),
        ("TotalClicksVideoLoad", 1, "1 opening"),
        ("RatioClicksWeekendDay", 2.0, "2 times"),
        ("RatioClicksWeekendDay", 2.46, "2.5 times"),
        ("DelayLecture", 30 * 3600, "30 hours"),
        ("DelayLecture", -5 * 3600, "5 hours early"),
        ("DelayLecture", -3600, "1 hour early"),
        ("FrequencyEventVideo", 1 / 60, "1 click per minute"),
        ("StudentSpeed", 6000, "100 minutes"),
    ],
)
def test_a_raw_value_is_said_with_its_unit(catalogue: Catalogue, name: str, raw: float, said: str) -> None:
    assert catalogue.by_name(name).shown(raw) == said


def test_no_value_within_bounds_is_said_with_more_than_three_digits(catalogue: Catalogue) -> None:
    for feature in catalogue:
        for raw in (0.0, 0.3333, 1.0, 59.99, 3599.5, 98_765.4, 604_800.0):
            if feature.allows(raw):
                number = feature.shown(raw).split()[0]
                assert len(re.sub(r"\D", "", number)) <= 3, (feature.name, feature.shown(raw))


@pytest.mark.parametrize("raw", [math.nan, math.inf])
def test_what_is_not_a_number_cannot_be_shown(catalogue: Catalogue, raw: float) -> None:
    with pytest.raises(ValueError, match="TotalClicks"):
        catalogue.by_name("TotalClicks").shown(raw)


@pytest.mark.parametrize(
    ("value", "decimals", "said"),
    [
        (0.0, 0, "0"),
        (99.96, 1, "100"),
        (10.04, 1, "10"),
        (0.04, 1, "less than 0.1"),
        (999.5, 0, "1 thousand"),
    ],
)
def test_numbers_are_rounded_as_a_person_rounds(value: float, decimals: int, said: str) -> None:
    assert spoken(value, decimals) == said


def test_capitals_do_not_matter_but_spelling_does(catalogue: Catalogue) -> None:
    assert catalogue.by_name("delaylecture").code == "delay_lecture"
    assert "studentshape" in catalogue
    with pytest.raises(UnknownFeature, match="did you mean TotalClicksVideo"):
        catalogue.by_name("TotalClickVideos")


def test_each_dimension_is_described_by_features_and_only_control_is_not_advised(
    catalogue: Catalogue,
) -> None:
    assert [each.name for each in catalogue.dimensions if not each.core] == ["control"]
    for dimension in catalogue.dimensions:
        assert len(catalogue.of_dimension(dimension.name)) >= 3
        assert dimension.definition.endswith(".")
        assert dimension.advice.endswith(".")
    assert "DelayLecture" in [feature.name for feature in catalogue.of_dimension("Proactivity")]
    with pytest.raises(LookupError, match="known are effort"):
        catalogue.dimension("motivation")


def test_two_features_cannot_share_a_name() -> None:
    def feature(name: str, alias: str) -> Feature:
        return Feature(name, f"{name}_code", (alias,), "label", "Counts.", "times", 0, "None.", "more", None)

    with pytest.raises(ValueError, match="'shared' names both First and Second"):
        Catalogue((feature("First", "Shared"), feature("Second", "shared")), ())


def test_bounds_refuse_what_cannot_have_been_measured(catalogue: Catalogue) -> None:
    assert catalogue.by_name("DelayLecture").allows(-3600.0)
    assert not catalogue.by_name("NumberOfSessions").allows(-1.0)
    assert not catalogue.by_name("ContentAlignment").allows(1.01)
    assert not catalogue.by_name("TotalClicks").allows(math.nan)


def test_a_dimension_is_found_whatever_its_capitals(catalogue: Catalogue) -> None:
    assert isinstance(catalogue.dimension("Effort"), Dimension)
