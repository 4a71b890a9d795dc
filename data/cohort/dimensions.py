"""What each dimension of behaviour says about passing, alone and beside the others."""

from dataclasses import dataclass

import numpy as np

from data.behaviour import Behaviour, Floats
from data.catalogue import load_catalogue
from data.predictor.training import Passed
from data.predictor.validation import Fit, compare, fit_logistic

FOLDS, STEPS = 5, 25
SENSE = {"more": 1.0, "less": -1.0, "depends": 0.0}


@dataclass(frozen=True, slots=True)
class Said:
    """How well a logistic regression tells passing from some features (AUC, balanced accuracy), cross-validated."""

    auc: float
    balanced_accuracy: float


def alone(behaviour: Behaviour, passed: Passed) -> dict[str, Said]:
    """What the features of each dimension say, by its name, and what all say as "everything"."""
    of = {name: load_catalogue().by_name(name).dimension for name in behaviour.told_apart()}
    groups = {each.name: [name for name in of if of[name] == each.name] for each in load_catalogue().dimensions}
    models = {name: _reading(features) for name, features in ({"everything": list(of)} | groups).items() if features}
    scores = compare(behaviour, passed, models, FOLDS).models
    return {name: Said(each.auc, each.balanced_accuracy) for name, each in scores.items()}


def _reading(features: list[str]) -> Fit:
    """A logistic regression that reads some features only."""
    return lambda behaviour, passed: fit_logistic(behaviour.only(features), passed)


def beside_the_others(behaviour: Behaviour, passed: Passed) -> dict[str, tuple[float, ...]]:
    """How surely each dimension goes along with passing while the others stay: over all weeks, then week by week.

    A dimension's level is the mean of its features as deviations, in the catalogue's sense (`good`; features for
    which it depends are left out). Told is the Wald statistic of its weight in a logistic regression on the levels
    of all: above 2 it hardly comes by chance, below 0 more of it goes along with failing.
    """
    levels = {name: level for name, level in _levels(behaviour).items() if level is not None}
    table = np.stack(list(levels.values()), axis=2)  # students, weeks, dimensions
    spans = [table.mean(axis=1), *table.transpose(1, 0, 2)]
    told = np.array([_wald(span, passed) for span in spans])
    return {name: tuple(column.tolist()) for name, column in zip(levels, told.T, strict=True)}


def _levels(behaviour: Behaviour) -> dict[str, Floats | None]:
    """Per dimension an array (students, weeks), missing values as the cohort's mean; None without a feature."""
    catalogue, apart = load_catalogue(), behaviour.told_apart()
    levels: dict[str, Floats | None] = {}
    for dimension in catalogue.dimensions:
        signs = {each.name: SENSE[each.good] for each in catalogue.of_dimension(dimension.name) if each.name in apart}
        names = [name for name, sign in signs.items() if sign]
        columns = [signs[name] * _deviations(behaviour.only([name]).values[:, :, 0]) for name in names]
        levels[dimension.name] = np.mean(columns, axis=0) if columns and dimension.core else None
    return levels


def _deviations(values: Floats) -> Floats:
    known = ~np.isnan(values)
    count = np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, values - np.where(known, values, 0.0).sum(axis=0) / count, 0.0)
    spread = np.sqrt((centred**2).sum(axis=0) / count)
    deviations: Floats = centred / np.where(spread > 0.0, spread, 1.0)
    return deviations


def _wald(levels: Floats, passed: Passed) -> Floats:
    """Weight / standard error of each column in an unpenalised logistic regression, by Newton's method."""
    design = np.column_stack([np.ones(len(levels)), (levels - levels.mean(axis=0)) / levels.std(axis=0)])
    weight = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-design @ weight))
        information = (design * (chance * (1.0 - chance))[:, None]).T @ design
        weight = weight + np.linalg.solve(information, design.T @ (passed - chance))
    told: Floats = (weight / np.sqrt(np.diag(np.linalg.inv(information))))[1:]
    return told
