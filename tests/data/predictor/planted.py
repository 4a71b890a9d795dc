"""Students whose outcome follows a known rule."""

import numpy as np
from numpy.typing import NDArray

from data.behaviour import Behaviour
from data.predictor.training import Training

FEATURES = ("NumberOfSessions", "DelayLecture", "CompetencyStrength", "StdTimeSessions")
TRUTH = np.array([1.5, -1.5, 1.0, 0.0])
WEEKS = 3
QUICK = Training(members=2, width=12, epochs=15, patience=4)


def planted(count: int, seed: int = 0, truth: NDArray[np.float64] = TRUTH) -> tuple[Behaviour, NDArray[np.bool_]]:
    """Students with random behaviour; in every week each feature tells of passing as much as `truth` says."""
    draw = np.random.default_rng(seed)
    normal = draw.normal(size=(count, WEEKS, len(FEATURES)))
    logit = (normal * truth).sum(axis=(1, 2)) / np.sqrt(WEEKS)
    passed = draw.random(count) < 1.0 / (1.0 + np.exp(-logit))
    raw = normal * [2.0, 3600.0, 0.2, 300.0] + [10.0, 90_000.0, 0.5, 900.0]
    raw[draw.random(raw.shape) < 0.05] = np.nan
    return Behaviour(tuple(f"s{number}" for number in range(count)), FEATURES, raw), passed
