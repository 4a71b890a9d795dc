"""Traits leave their marks in the weekly features, and those in the outcome, in the sense of the catalogue."""

import numpy as np
import pytest

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue
from data.cohort.simulate import Cohort
from data.cohort.traits import Traits
from data.features.weekly import weekly_features
from data.schedule import Schedule

SHOWS = [
    ("effort", "NumberOfSessions", 1),
    ("effort", "TotalTimeSessions", 1),
    ("consistency", "ContentAlignment", 1),
    ("regularity", "RegPeriodicityDayHour", 1),
    ("regularity", "StdTimeBetweenSessions", -1),
    ("proactivity", "DelayLecture", -1),
    ("proactivity", "ContentAnticipation", 1),
    ("assessment", "CompetencyStrength", 1),
    ("assessment", "StudentShape", 1),
]


@pytest.fixture(scope="module")
def behaviour(cohort: Cohort, schedule: Schedule) -> Behaviour:
    table = weekly_features(cohort.events.lazy(), schedule, through=5)
    return Behaviour.of(table, tuple(cohort.traits), 5)


def usual(behaviour: Behaviour, feature: str) -> Floats:
    """A student's mean over the weeks, students without any value left at the cohort's."""
    values = behaviour.only([feature]).values[:, :, 0]
    known = ~np.isnan(values)
    mean = np.where(known, values, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.where(known.any(axis=1), mean, np.nanmean(values))


@pytest.mark.parametrize(("trait", "feature", "sense"), SHOWS)
def test_a_trait_shows_in_the_clicks(
    cohort: Cohort, behaviour: Behaviour, trait: str, feature: str, sense: int
) -> None:
    levels = [getattr(traits, trait) for traits in cohort.traits.values()]
    assert sense * np.corrcoef(levels, usual(behaviour, feature))[0, 1] > 0.2


@pytest.mark.parametrize("trait", Traits.__slots__)
def test_each_trait_pays_off(cohort: Cohort, trait: str) -> None:
    levels = np.array([getattr(traits, trait) for traits in cohort.traits.values()])
    passed = np.array(list(cohort.passed.values()))
    assert levels[passed].mean() > levels[~passed].mean() + 0.2


def test_no_feature_speaks_against_its_sense(cohort: Cohort, behaviour: Behaviour) -> None:
    passed = np.array(list(cohort.passed.values()))
    for name in behaviour.varying_features():
        sense = {"more": 1, "less": -1, "depends": 0}[load_catalogue().by_name(name).good]
        assert sense * np.corrcoef(usual(behaviour, name), passed)[0, 1] > -0.05, name


def test_every_value_lies_within_the_catalogue(behaviour: Behaviour) -> None:
    for place, name in enumerate(behaviour.features):
        values = behaviour.values[:, :, place]
        feature = load_catalogue().by_name(name)
        assert all(feature.allows(value) for value in values[~np.isnan(values)].tolist()), name


def test_marginals_are_those_of_real_courses(behaviour: Behaviour) -> None:
    """Bounds around what is published (see data/cohort/__init__.py): the same order of magnitude."""
    for name, low, high in (
        ("TotalClicks", 40, 200),
        ("NumberOfSessions", 2, 5),
        ("TotalTimeVideo", 2400, 9000),
        ("TotalTimeProblem", 240, 1500),
    ):
        assert low <= np.nanmedian(behaviour.only([name]).values) <= high, name
    assert np.nanmax(behaviour.only(["NumberOfSessions"]).values) <= 20
