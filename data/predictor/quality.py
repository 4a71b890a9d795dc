"""How good predictions are: whether they are right, and whether they are as sure as they may be."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from data.behaviour import Floats

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Students with about the same predicted probability: its mean, the share who passed, how many they are."""

    predicted: float
    passed: float
    count: int


@dataclass(frozen=True, slots=True)
class Scores:
    """One model's quality; all but the reliability bins are between 0 and 1.

    `calibration_error` is the mean distance between predicted and observed share over the bins, weighted
    by their students (expected calibration error, Naeini et al. 2015), with bins of equally many students.
    """

    balanced_accuracy: float
    auc: float
    brier: float
    calibration_error: float
    reliability: tuple[Bin, ...]

    @classmethod
    def of(cls, probability: Floats, passed: NDArray[np.bool_], bins: int = BINS) -> "Scores":
        """Of predicted probabilities of passing (students,) against what happened (students,)."""
        right = balanced_accuracy(probability >= 0.5, passed)
        reliability = _reliability(probability, passed, bins)
        gap = sum(each.count * abs(each.predicted - each.passed) for each in reliability) / len(passed)
        return cls(right, auc(probability, passed), float(((probability - passed) ** 2).mean()), gap, reliability)


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of each model by name, on `students` none of whom it was fitted on."""

    students: int
    passed: float
    models: Mapping[str, Scores]

    def as_json(self) -> dict[str, Any]:
        """Plain dictionaries, lists and numbers, to five digits."""
        models = {name: _rounded(asdict(scores)) for name, scores in self.models.items()}
        return {"students": self.students, "passed": round(self.passed, 5), "models": models}

    def table(self) -> str:
        """A line per model, for reading."""
        lines = [f"{'model':<22}{'balanced acc.':>14}{'AUC':>8}{'Brier':>8}{'calibration':>13}"]
        lines += [
            f"{name:<22}{s.balanced_accuracy:>14.3f}{s.auc:>8.3f}{s.brier:>8.3f}{s.calibration_error:>13.3f}"
            for name, s in self.models.items()
        ]
        return "\n".join(lines)


def balanced_accuracy(told: NDArray[np.bool_], passed: NDArray[np.bool_]) -> float:
    """The mean of the shares that are told right of those who passed and of those who failed."""
    return (float((told[passed]).mean()) + float((~told[~passed]).mean())) / 2.0


def auc(probability: Floats, passed: NDArray[np.bool_]) -> float:
    """How often one who passed is given a higher probability (or score) than one who failed, ties counted half."""
    ordered = np.sort(probability[~passed])
    below = np.searchsorted(ordered, probability[passed], side="left")
    upto = np.searchsorted(ordered, probability[passed], side="right")
    return float(((below + upto) / 2.0).mean() / ordered.size)


def _reliability(probability: Floats, passed: NDArray[np.bool_], bins: int) -> tuple[Bin, ...]:
    parts = np.array_split(np.argsort(probability, kind="stable"), bins)
    return tuple(
        Bin(float(probability[rows].mean()), float(passed[rows].mean()), int(rows.size)) for rows in parts if rows.size
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, (list, tuple)) else value
