"""How far a course's predictions can be trusted, as its bundle says, and how sure a share of few students is."""

import itertools
import json
import math
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from data.course import BundleError
from data.predictor.quality import Bin, Quality

FILE = "quality.json"
SURE = 1.959964
"""The standard normal's 97.5 % quantile: intervals of 95 %."""


def read_quality(folder: Path) -> Quality:
    """The quality in a bundle's folder. Raises BundleError naming file and entry for a file that is absent or wrong."""
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BundleError(f"{path}: the file is missing; `scribe courses build` writes it") from None
    except OSError as error:
        raise BundleError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BundleError(f"{path} is not valid JSON: {error}") from error
    return _checked(content, path)


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (0 to 1) seen in `count` students (E. B. Wilson 1927, equation 5)."""
    spread = SURE**2 / count
    middle = (share + spread / 2) / (1 + spread)
    half = SURE / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def histogram(bins: tuple[Bin, ...], parts: int = 10) -> tuple[float, ...]:
    """About how many students were given a chance in each equal part of 0 to 1; the sum is exact.

    A bin is taken to reach halfway to its neighbours' means, its students to lie evenly in it.
    """
    means = [each.predicted for each in bins]
    ends = (0.0, *((low + high) / 2 for low, high in itertools.pairwise(means)), 1.0)
    counts = [0.0] * parts
    for each, (low, high) in zip(bins, itertools.pairwise(ends), strict=True):
        for part in range(parts):
            counts[part] += each.count * _overlap(low, high, part / parts, (part + 1) / parts)
    return tuple(counts)


def _overlap(low: float, high: float, start: float, end: float) -> float:
    """The share of the span from low to high that lies between start and end."""
    if high - low < 1e-9:  # many students with one and the same chance
        return float(start <= low < end or (low >= end == 1.0))
    return max(0.0, min(high, end) - max(low, start)) / (high - low)


def _checked(content: Any, path: Path) -> Quality:
    try:
        quality = TypeAdapter(Quality).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise BundleError(f"{path}, {where}: {first['msg']}") from error
    if not quality.models:
        raise BundleError(f"{path}, models: must have at least one entry")
    for name, scores in quality.models.items():
        _check_bins(scores.reliability, f"{path}, models.{name}.reliability")
    return quality


def _check_bins(bins: tuple[Bin, ...], where: str) -> None:
    if not bins:
        raise BundleError(f"{where}: must have at least one entry")
    for number, each in enumerate(bins):
        if not (0 <= each.predicted <= 1 and 0 <= each.passed <= 1):
            raise BundleError(f"{where}.{number}: predicted and passed must be 0 to 1")
        if each.count < 1:
            raise BundleError(f"{where}.{number}: count must be at least 1, not {each.count}")
    if any(low.predicted > high.predicted for low, high in itertools.pairwise(bins)):
        raise BundleError(f"{where}: predicted must rise from entry to entry")
