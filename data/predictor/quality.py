"""How good predictions are: whether they are right, and whether they are as sure as they may be."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter, ValidationError

from data.behaviour import Floats
from data.course import BundleError

FILE = "quality.json"
BINS = 10

Share = Annotated[float, Field(ge=0.0, le=1.0)]


@dataclass(frozen=True, slots=True)
class Bin:
    """Students with about the same predicted probability: its mean, the share who passed, how many they are."""

    predicted: Share
    passed: Share
    count: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class Scores:
    """One model's quality, 0 to 1; calibration as in Naeini et al. 2015, with bins of equally many students."""

    balanced_accuracy: float
    auc: float
    brier: float
    calibration_error: float
    reliability: Annotated[tuple[Bin, ...], Field(min_length=1)]

    @classmethod
    def of(cls, probability: Floats, passed: NDArray[np.bool_], bins: int = BINS) -> "Scores":
        """The scores of predicted probabilities of passing (students,) against what happened (students,)."""
        from sklearn.metrics import balanced_accuracy_score, roc_auc_score  # slow to import; drawing needs none of it

        accuracy = float(balanced_accuracy_score(passed, probability >= 0.5))
        reliability = _bin(probability, passed, bins)
        gap = sum(each.count * abs(each.predicted - each.passed) for each in reliability) / len(passed)
        brier = float(((probability - passed) ** 2).mean())
        return cls(accuracy, float(roc_auc_score(passed, probability)), brier, gap, reliability)


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of each model by name, on `students` none of whom it was fitted on."""

    students: int
    passed: float
    models: Annotated[Mapping[str, Scores], Field(min_length=1)]

    def as_json(self) -> dict[str, Any]:
        """Plain dictionaries, lists and numbers, to five digits."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)), parse_float=lambda text: round(float(text), 5))
        return plain

    def table(self) -> str:
        """A line per model, for reading."""
        lines = [f"{'model':<22}{'balanced acc.':>14}{'AUC':>8}{'Brier':>8}{'calibration':>13}"]
        lines += [
            f"{name:<22}{s.balanced_accuracy:>14.3f}{s.auc:>8.3f}{s.brier:>8.3f}{s.calibration_error:>13.3f}"
            for name, s in self.models.items()
        ]
        return "\n".join(lines)


def read_quality(folder: Path) -> Quality:
    """The quality in a bundle's folder. Raises BundleError naming file and entry for a file that is absent or wrong."""
    path = folder / FILE
    try:
        return TypeAdapter(Quality).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise BundleError(f"{path}: the file is missing; `scribe courses build` writes it") from None
    except OSError as error:
        raise BundleError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise BundleError(f"{path}, {where}: {first['msg']}") from error


def _bin(probability: Floats, passed: NDArray[np.bool_], bins: int) -> tuple[Bin, ...]:
    parts = np.array_split(np.argsort(probability, kind="stable"), bins)
    return tuple(
        Bin(float(probability[rows].mean()), float(passed[rows].mean()), int(rows.size)) for rows in parts if rows.size
    )
