"""The measure of what each dimension says, on behaviour of which the answer is known."""

import numpy as np
import pytest

from data.behaviour import Behaviour, Floats
from data.cohort.dimensions import alone, beside_the_others
from data.cohort.measure import correlation
from data.predictor.training import Passed

STUDENTS, WEEKS = 400, 2


@pytest.fixture(scope="module")
def made() -> tuple[Behaviour, Passed]:
    """Sessions decide who passes, and delay in week 2; solving does not, and clicks are a copy of sessions."""
    draw = np.random.default_rng(1)
    names = ("NumberOfSessions", "TotalClicks", "DelayLecture", "CompetencyStrength", "AvgPauseDuration")
    values = draw.normal(size=(STUDENTS, WEEKS, len(names)))
    values[:, :, 1] = values[:, :, 0]
    chance = 1.0 / (1.0 + np.exp(-1.5 * values[:, :, 0].sum(axis=1) + 1.5 * values[:, 1, 2]))
    passed = draw.random(STUDENTS) < chance
    values[draw.random(values.shape) < 0.05] = np.nan
    return Behaviour(tuple(map(str, range(STUDENTS))), names, values), passed


def test_alone_what_decides_says_more_than_what_does_not(made: tuple[Behaviour, Passed]) -> None:
    said = alone(*made)
    assert set(said) == {"everything", "effort", "proactivity", "assessment", "control"}
    assert said["everything"].auc > said["effort"].auc > said["proactivity"].auc > said["assessment"].auc
    assert 0.4 < said["assessment"].balanced_accuracy < 0.6 < said["effort"].balanced_accuracy


def test_beside_the_others_each_counts_in_the_weeks_in_which_it_decides(made: tuple[Behaviour, Passed]) -> None:
    told = beside_the_others(*made)
    assert set(told) == {"effort", "proactivity", "assessment"}  # control is no dimension to advise on
    assert all(len(weeks) == 1 + WEEKS for weeks in told.values())
    assert min(told["effort"]) > 4
    assert told["proactivity"][2] > 4 > 3 > abs(told["proactivity"][1])  # less delay is more proactive
    assert max(map(abs, told["assessment"])) < 3


def test_correlation_is_of_those_with_a_value_and_the_mean_of_the_weeks() -> None:
    passed = np.array([True, True, False, False])
    week: Floats = np.array([2.0, np.nan, 1.0, 1.0])
    still: Floats = np.ones(4)
    assert correlation(np.stack([week, still], axis=1), passed) == pytest.approx(1.0)
    assert correlation(np.stack([week, 3.0 - week], axis=1), passed) == pytest.approx(0.0)
    assert correlation(np.stack([still, still], axis=1), passed) == 0.0
