from dataclasses import replace

import numpy as np
import pytest

from data.behaviour import Behaviour
from data.catalogue import load_catalogue
from data.contrast.explain import Explanation, explain
from data.contrast.plausibility import CohortRange
from data.course import BundleError, Importance
from data.predictor.training import fit
from tests.data.contrast.lines import FEATURES, WEIGHT, a_class, a_line
from tests.data.predictor.planted import QUICK, planted

OWN = a_class(80)
MODEL = a_line(OWN, WEIGHT)


def ignore_count(done: int, total: int) -> None:
    """Nobody asks how far it is."""


def signed(change: Importance) -> float:
    """The size of a change with its direction."""
    return change.importance if change.direction == "increase" else -change.importance


@pytest.fixture(scope="module")
def explanations() -> tuple[Explanation, ...]:
    """Of everybody in OWN by MODEL."""
    return explain(MODEL, OWN, OWN, ignore_count)


def changed(behaviour: Behaviour, explanations: tuple[Explanation, ...]) -> Behaviour:
    """The behaviour with every student's changes carried out."""
    values = behaviour.values.copy()
    for row, explanation in enumerate(explanations):
        for change in explanation.importances:
            values[row, change.week - 1, behaviour.features.index(change.feature)] = change.target
    return replace(behaviour, values=values)


def test_carried_out_the_changes_flip_the_prediction_of_a_fitted_model() -> None:
    cohort, passed = planted(240)
    predictor = fit(cohort, passed, QUICK)
    behaviour, _ = planted(30, seed=1)
    explanations = explain(predictor, behaviour, cohort, ignore_count)
    before = predictor.probability(behaviour) >= 0.5
    after = predictor.probability(changed(behaviour, explanations)) >= 0.5
    explained = np.array([bool(each.importances) for each in explanations])
    assert explained.mean() > 0.9
    assert (before != after)[explained].all()
    for each, passing in zip(explanations, before, strict=True):
        assert {one.flips_to for one in each.importances} <= {"fail" if passing else "pass"}


def test_changes_are_believable_and_as_large_as_said(explanations: tuple[Explanation, ...]) -> None:
    own, model, view = OWN, MODEL, CohortRange.of(OWN)
    for row, explanation in enumerate(explanations):
        sizes = [change.importance for change in explanation.importances]
        assert sizes == sorted(sizes, reverse=True)
        for change in explanation.importances:
            cell = change.week - 1, FEATURES.index(change.feature)
            value = own.values[row][cell]
            assert change.importance >= 0.05
            assert (change.target - value) / model.scale.deviation[cell] == pytest.approx(signed(change), abs=2e-3)
            assert (change.target > value) == (change.direction == "increase")
            assert min(view.low[cell], value) - 1e-6 <= change.target <= max(view.high[cell], value) + 1e-6
            assert load_catalogue().by_name(change.feature).allows(change.target)


def test_explanations_name_several_feature_weeks_but_not_all(explanations: tuple[Explanation, ...]) -> None:
    counts = [len(each.importances) for each in explanations if each.importances]
    assert 3 <= np.median(counts) <= 10
    assert max(counts) <= 12


def test_what_is_advised_goes_towards_what_is_usual(explanations: tuple[Explanation, ...]) -> None:
    view = CohortRange.of(OWN)
    right = [
        np.sign((view.median - OWN.values[row])[change.week - 1, FEATURES.index(change.feature)] * signed(change))
        for row, explanation in enumerate(explanations)
        for change in explanation.importances
    ]
    assert np.mean(np.array(right) > 0) > 0.8


def test_who_is_far_beyond_reach_or_has_no_value_at_all_is_not_explained() -> None:
    own = a_class(30)
    values = own.values.copy()
    values[0] = np.nan
    own = replace(own, values=values)
    assert not any(each.importances for each in explain(a_line(own, WEIGHT, bias=60.0), own, own, ignore_count))
    assert explain(a_line(own, WEIGHT, bias=1.0), own, own, ignore_count)[0].importances == ()


def test_an_explanation_does_not_depend_on_who_else_is_explained(explanations: tuple[Explanation, ...]) -> None:
    for row in (3, 50):
        one = Behaviour(OWN.students[row : row + 1], OWN.features, OWN.values[row : row + 1])
        (alone,) = explain(MODEL, one, OWN, ignore_count)
        both = alone, explanations[row]
        cells = [{(each.week, each.feature): each.importance for each in some.importances} for some in both]
        assert cells[0] == pytest.approx(cells[1], abs=1e-3)
        assert alone.sufficient == explanations[row].sufficient


def test_what_suffices_keeps_the_prediction_when_all_else_is_usual(explanations: tuple[Explanation, ...]) -> None:
    own, model = OWN, MODEL
    values = np.where(np.isnan(own.values), np.nan, CohortRange.of(own).median)
    for row, explanation in enumerate(explanations):
        for one in explanation.sufficient:
            cell = row, one.week - 1, FEATURES.index(one.feature)
            values[cell] = own.values[cell]
    told = np.array([bool(each.sufficient) for each in explanations])
    kept = model.probability(own) >= 0.5, model.probability(replace(own, values=values)) >= 0.5
    assert told.mean() > 0.7
    assert (kept[0] == kept[1])[told].all()
    assert np.median([len(each.sufficient) for each in explanations if each.sufficient]) < 6


def test_the_usual_alone_suffices_for_who_is_predicted_like_everybody() -> None:
    own = a_class(30)
    model = a_line(own, WEIGHT, bias=3.0)
    explanations = explain(model, own, own, ignore_count)
    passing = model.probability(own) >= 0.5
    assert passing.any()
    assert not any(explanations[row].sufficient for row in np.flatnonzero(passing))


def test_progress_reaches_its_end_and_a_lacking_feature_is_an_error() -> None:
    own = a_class(30)
    model, told = a_line(own, WEIGHT), list[tuple[int, int]]()
    explain(model, own, own, lambda done, total: told.append((done, total)))
    assert told == [(number, told[0][1]) for number in range(1, told[0][1] + 1)]
    with pytest.raises(BundleError, match="StdTimeSessions"):
        explain(model, own.only(FEATURES[:3]), own, ignore_count)
