"""Everything that is measured of two sets of questions, in one value that tables are made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from eval.similarity.measures import (
    Divergence,
    Diversity,
    HotellingTest,
    compare_centres,
    measure_divergence,
    measure_diversity,
    measure_entropy,
    project,
)
from eval.similarity.questions import SourceQuestion
from scribe.errors import UsageError

ALL = "all"
FEWEST = 4
"""Questions that a group must have in both sets to be compared."""

Embed = Callable[[Sequence[str]], NDArray[np.floating]]
Perplexities = Callable[[Sequence[str]], NDArray[np.float64]]
Points = Mapping[str, NDArray[np.float64]]
"""By source, points (N, 2)."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One set: questions, and of each its entropy (bits), perplexity and embedding (row of length 1)."""

    questions: tuple[SourceQuestion, ...]
    entropies: NDArray[np.float64]
    perplexities: NDArray[np.float64]
    vectors: NDArray[np.floating]

    def find(self, kind: str, name: str) -> NDArray[np.intp]:
        """The places of a group's questions. kind: "course" or "category"; the group ALL is every one."""
        return np.flatnonzero([name == ALL or getattr(each, kind) == name for each in self.questions])


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """The questions of one course or category in both sets; a measure is None where a set has too few."""

    kind: str
    name: str
    generated: int
    real: int
    entropy: Divergence | None
    perplexity: Divergence | None
    generated_cosine: Diversity | None
    real_cosine: Diversity | None


@dataclass(frozen=True, slots=True)
class CentreComparison:
    """Two sources' points, compared. method: "t-SNE" or "principal components"."""

    method: str
    one: str
    other: str
    test: HotellingTest


@dataclass(frozen=True, slots=True)
class QuestionComparison:
    """Both sets, groups, centres, and points (N, 2) by source as t-SNE laid them."""

    generated: QuestionSet
    real: QuestionSet
    groups: tuple[GroupComparison, ...]
    centres: tuple[CentreComparison, ...]
    points: Points


def compare_questions(
    generated: Sequence[SourceQuestion],
    real: Sequence[SourceQuestion],
    random: Sequence[str],
    perplexities: Perplexities,
    embed: Embed,
    seed: int = 0,
    resamples: int = 500,
) -> QuestionComparison:
    """Take all measures. random: questions on anything else. Raises UsageError if no course is in both sets."""
    courses = {each.course for each in real}
    if not any(each.course in courses for each in generated):
        raise UsageError(f"no generated question is about {', '.join(sorted(courses))}, so nothing can be compared")
    sets = [_measure_set(questions, perplexities, embed) for questions in (generated, real)]
    by_method = _lay_out(*sets, embed(list(random)), seed)
    centres = [
        CentreComparison(method, one, other, compare_centres(points[one], points[other], seed))
        for method, points in by_method.items()
        for one, other in combinations(points, 2)
    ]
    groups = [_compare_group(*sets, kind, name, seed, resamples) for kind, name in _name_groups(*sets)]
    return QuestionComparison(*sets, tuple(groups), tuple(centres), by_method["t-SNE"])


def _measure_set(questions: Sequence[SourceQuestion], perplexities: Perplexities, embed: Embed) -> QuestionSet:
    texts = [each.question for each in questions]
    entropies = np.array([measure_entropy(text) for text in texts])
    return QuestionSet(tuple(questions), entropies, perplexities(texts), embed(texts))


def _name_groups(generated: QuestionSet, real: QuestionSet) -> list[tuple[str, str]]:
    both = (*real.questions, *generated.questions)
    named = [(kind, str(getattr(each, kind))) for kind in ("course", "category") for each in both]
    return [("course", ALL), *dict.fromkeys(named)]


def _compare_group(
    generated: QuestionSet, real: QuestionSet, kind: str, name: str, seed: int, resamples: int
) -> GroupComparison:
    ours, theirs = _find_comparable(generated, real, kind, name), real.find(kind, name)
    enough = min(len(ours), len(theirs)) >= FEWEST
    entropies = generated.entropies[ours], real.entropies[theirs]
    # Perplexities lie over orders of magnitude: equal bins of the logarithm.
    perplexities = np.log10(generated.perplexities[ours]), np.log10(real.perplexities[theirs])
    vectors = generated.vectors[ours], real.vectors[theirs]
    return GroupComparison(
        kind,
        name,
        len(ours),
        len(theirs),
        measure_divergence(*entropies, seed, resamples) if enough else None,
        measure_divergence(*perplexities, seed, resamples) if enough else None,
        *(measure_diversity(rows, seed, resamples) if len(rows) >= FEWEST else None for rows in vectors),
    )


def _find_comparable(generated: QuestionSet, real: QuestionSet, kind: str, name: str) -> NDArray[np.intp]:
    """The places of a group's generated questions; but for a course by itself, of courses that both sets know.

    Else languages would be compared, not questions.
    """
    places = generated.find(kind, name)
    if kind == "course" and name != ALL:
        return places
    courses = {each.course for each in real.questions}
    return places[[generated.questions[place].course in courses for place in places]]


def _lay_out(generated: QuestionSet, real: QuestionSet, random: NDArray[np.floating], seed: int) -> dict[str, Points]:
    """By method, the points of as many generated and random questions as real ones, on courses that both know."""
    count = len(real.questions)
    source = np.random.default_rng(seed)
    comparable = _find_comparable(generated, real, "course", ALL)
    chosen = source.choice(comparable, min(count, len(comparable)), replace=False)
    others = source.choice(len(random), min(count, len(random)), replace=False)
    rows = {"generated": generated.vectors[chosen], "real": real.vectors, "random": random[others]}
    ends = np.cumsum([len(each) for each in rows.values()])[:-1]
    projected = project(np.concatenate(list(rows.values())), seed)
    return {method: dict(zip(rows, np.split(points, ends), strict=True)) for method, points in projected.items()}
