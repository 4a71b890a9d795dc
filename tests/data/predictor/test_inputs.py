"""What a model reads: features worth reading, values as deviations, parts of the students."""

from dataclasses import replace

import numpy as np
import pytest

from data.behaviour import Behaviour
from data.course import BundleError
from data.predictor.model import Scale, choose_features, split_students
from tests.data.predictor.planted import FEATURES, planted


def students(**features: list[float]) -> Behaviour:
    values = np.array(list(features.values())).T[:, None, :]
    return Behaviour(tuple("abc"), tuple(features), values)


def test_of_two_equal_features_the_one_that_can_be_advised_on_is_read() -> None:
    # Where only the loading of videos is recorded, each video opened looks interrupted.
    opened = [0, 0.5, 1]
    some = students(AvgInterruptedWeeklyProp=opened, AvgWatchedWeeklyProp=opened, ContentAlignment=opened)
    assert choose_features(some) == ("ContentAlignment",)


def test_features_that_are_missing_in_different_cells_are_not_equal() -> None:
    some = students(NumberOfSessions=[1, 2, 3], TotalClicksVideo=[1, 2, np.nan])
    assert choose_features(some) == ("NumberOfSessions", "TotalClicksVideo")


def test_neither_the_sum_of_others_nor_what_never_differs_is_read() -> None:
    some = students(TotalClicks=[1, 2, 3], StdTimeSessions=[5, 5, np.nan], NumberOfSessions=[1, 2, 3])
    assert choose_features(some) == ("NumberOfSessions",)


def test_students_who_cannot_be_told_apart_are_an_error() -> None:
    with pytest.raises(BundleError, match="no feature differs"):
        choose_features(students(NumberOfSessions=[2, 2, 2], TotalClicks=[1, 2, 3]))


def test_the_cohort_has_mean_0_and_deviation_1_in_every_cell() -> None:
    behaviour, _ = planted(200)
    scaled, missing = Scale.fit(behaviour).standardise(behaviour)
    known = np.where(missing > 0, np.nan, scaled)
    assert np.nanmean(known, axis=0) == pytest.approx(0, abs=1e-9)
    assert np.nanstd(known, axis=0) == pytest.approx(1)
    assert (scaled[missing > 0] == 0).all()
    assert (missing == np.isnan(behaviour.values)).all()


def test_a_cell_in_which_nobody_differs_or_nobody_has_a_value_is_harmless() -> None:
    behaviour, _ = planted(50)
    values = behaviour.values.copy()
    values[:, 0, 0], values[:, 1, 1] = 0.1, np.nan
    scaled, missing = Scale.fit(flat := replace(behaviour, values=values)).standardise(flat)
    assert scaled[:, 0, 0] == pytest.approx(0, abs=1e-9)
    assert missing[:, 1, 1].all() and np.isfinite(scaled).all()


def test_features_are_found_by_name_whatever_their_order() -> None:
    behaviour, _ = planted(50)
    scale = Scale.fit(behaviour)
    turned = behaviour.only(FEATURES[::-1])
    np.testing.assert_array_equal(scale.standardise(turned)[0], scale.standardise(behaviour)[0])


def test_an_absent_feature_and_a_week_too_few_are_named() -> None:
    behaviour, _ = planted(50)
    scale = Scale.fit(behaviour)
    with pytest.raises(BundleError, match="CompetencyStrength"):
        scale.standardise(behaviour.only(FEATURES[:2]))
    with pytest.raises(BundleError, match=r"weeks 1 to 3.* weeks 1 to 2"):
        scale.standardise(replace(behaviour, values=behaviour.values[:, :2]))


def test_parts_hold_every_student_once_and_the_same_share_of_passes() -> None:
    passed = np.arange(103) % 4 == 0
    parts = split_students(passed, 5, seed=1)
    assert np.sum(parts, axis=0).tolist() == [1] * 103
    assert {int(passed[part].sum()) for part in parts} <= {5, 6}
    assert any((one != other).any() for one, other in zip(parts, split_students(passed, 5, seed=2), strict=True))
