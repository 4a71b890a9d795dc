"""The released attempts, and means over tasks with the spread over folds as the paper prints them."""

import functools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from eval.lines import parse_lines
from eval.tutoring.metrics.at_k import average_first_recall, average_pass, estimate_pass, take_first_recall

FILE = Path(__file__).with_name("attempts.jsonl.gz")
ReleasedLevel = Literal["low", "medium", "high", "oracle"]


@dataclass(frozen=True, slots=True)
class ReleasedAttempts:
    """Ten programs for one task by one kind of student, in the order in which they were drawn."""

    task: str
    repository: str
    fold: int
    level: ReleasedLevel
    passed: tuple[bool, ...]
    recall: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FoldMean:
    """In percent: the mean of five folds' means, and their standard deviation (of the population, as the paper's)."""

    mean: float
    deviation: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.deviation:.2f}"


Score = Callable[[ReleasedAttempts], float]


@functools.cache
def read_attempts(path: Path = FILE) -> tuple[ReleasedAttempts, ...]:
    """All of them. Raises RecordError."""
    return tuple(each for _, each in parse_lines(path, TypeAdapter(ReleasedAttempts), "the released attempts"))


def average_folds(attempts: Sequence[ReleasedAttempts], levels: Sequence[str], score: Score) -> FoldMean:
    """A score's mean over the levels' tasks in each fold, and over folds; each level weighs the same."""
    folds = sorted({each.fold for each in attempts})
    means = [
        100
        * statistics.mean(
            statistics.mean(score(each) for each in attempts if (each.fold, each.level) == (fold, level))
            for level in levels
        )
        for fold in folds
    ]
    return FoldMean(statistics.mean(means), statistics.pstdev(means))


def score_recall(each: ReleasedAttempts) -> float:
    """Recall as the authors compute it."""
    return average_first_recall(each.recall)


def score_pass(each: ReleasedAttempts) -> float:
    """Pass."""
    return average_pass(each.passed)


def score_recall_at(k: int) -> Score:
    """Recall@k as the authors compute it."""
    return lambda each: take_first_recall(each.recall, k)


def score_pass_at(k: int) -> Score:
    """Pass@k."""
    return lambda each: estimate_pass(each.passed, k)
