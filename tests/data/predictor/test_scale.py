from dataclasses import replace

import numpy as np
import pytest

from data.course import BundleError
from data.predictor.scale import Scale
from tests.data.predictor.planted import FEATURES, planted


def test_the_cohort_has_mean_0_and_deviation_1_in_every_cell() -> None:
    behaviour, _ = planted(200)
    scaled, missing = Scale.of(behaviour).scaled(behaviour)
    known = np.where(missing > 0, np.nan, scaled)
    assert np.nanmean(known, axis=0) == pytest.approx(0, abs=1e-9)
    assert np.nanstd(known, axis=0) == pytest.approx(1)
    assert (scaled[missing > 0] == 0).all()
    assert (missing == np.isnan(behaviour.values)).all()


def test_raw_values_come_back() -> None:
    behaviour, _ = planted(50)
    scale = Scale.of(behaviour)
    np.testing.assert_allclose(scale.raw(*scale.scaled(behaviour)), behaviour.values)


def test_a_cell_in_which_nobody_differs_or_nobody_has_a_value_is_harmless() -> None:
    behaviour, _ = planted(50)
    values = behaviour.values.copy()
    values[:, 0, 0], values[:, 1, 1] = 0.1, np.nan
    scaled, missing = Scale.of(flat := replace(behaviour, values=values)).scaled(flat)
    assert scaled[:, 0, 0] == pytest.approx(0, abs=1e-9)
    assert missing[:, 1, 1].all() and np.isfinite(scaled).all()


def test_features_are_found_by_name_whatever_their_order() -> None:
    behaviour, _ = planted(50)
    scale = Scale.of(behaviour)
    turned = behaviour.only(FEATURES[::-1])
    np.testing.assert_array_equal(scale.scaled(turned)[0], scale.scaled(behaviour)[0])


def test_an_absent_feature_and_a_week_too_few_are_named() -> None:
    behaviour, _ = planted(50)
    scale = Scale.of(behaviour)
    with pytest.raises(BundleError, match="CompetencyStrength"):
        scale.scaled(behaviour.only(FEATURES[:2]))
    with pytest.raises(BundleError, match=r"weeks 1 to 3.* weeks 1 to 2"):
        scale.scaled(replace(behaviour, values=behaviour.values[:, :2]))
