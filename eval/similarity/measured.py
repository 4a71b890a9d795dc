"""Everything that is measured of two sets of questions, in one value that tables and figures are drawn from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.similarity.divergence import Divergence, divergence
from eval.similarity.diversity import Diversity, diversity
from eval.similarity.entropy import entropy
from eval.similarity.hotelling import Test, hotelling
from eval.similarity.plane import plane
from eval.similarity.texts import Asked
from scribe.errors import UsageError

ALL = "all"
FEWEST = 4
"""Questions that a group must have in both sets to be compared."""

Embed = Callable[[Sequence[str]], NDArray[np.floating]]
Fluency = Callable[[Sequence[str]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Side:
    """One set: questions, and of each its entropy (bits), perplexity and embedding (row of length 1)."""

    asked: tuple[Asked, ...]
    entropies: NDArray[np.float64]
    perplexities: NDArray[np.float64]
    vectors: NDArray[np.floating]

    def of(self, kind: str, name: str) -> NDArray[np.intp]:
        """The places of a group's questions. kind: "course" or "category"; the group ALL is every one."""
        return np.flatnonzero([name == ALL or getattr(each, kind) == name for each in self.asked])


@dataclass(frozen=True, slots=True)
class Group:
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
class Pair:
    """Two sources' points, compared. method: "t-SNE" or "principal components"."""

    method: str
    one: str
    other: str
    test: Test


@dataclass(frozen=True, slots=True)
class Measured:
    """Both sides, groups, pairs, and points (N, 2) by source as t-SNE laid them."""

    generated: Side
    real: Side
    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    points: Mapping[str, NDArray[np.float64]]


def side(asked: Sequence[Asked], fluency: Fluency, embed: Embed) -> Side:
    """One set, measured."""
    texts = [each.question for each in asked]
    return Side(tuple(asked), np.array([entropy(text) for text in texts]), fluency(texts), embed(texts))


def measure(
    generated: Sequence[Asked],
    real: Sequence[Asked],
    strange: Sequence[str],
    fluency: Fluency,
    embed: Embed,
    seed: int = 0,
    resamples: int = 500,
) -> Measured:
    """All measures. strange: questions on anything else. Raises UsageError if no course is in both sets."""
    courses = {each.course for each in real}
    if not any(each.course in courses for each in generated):
        raise UsageError(f"no generated question is about {', '.join(sorted(courses))}, so nothing can be compared")
    sides = side(generated, fluency, embed), side(real, fluency, embed)
    points = _points(*sides, embed(list(strange)), seed)
    return Measured(*sides, tuple(_groups(*sides, seed, resamples)), tuple(_pairs(points, seed)), points["t-SNE"])


def _groups(generated: Side, real: Side, seed: int, resamples: int) -> list[Group]:
    named = [("course", ALL)]
    for kind in ("course", "category"):
        names = (getattr(each, kind) for each in (*real.asked, *generated.asked))
        named += [(kind, name) for name in dict.fromkeys(names)]
    return [_group(generated, real, kind, name, seed, resamples) for kind, name in named]


def _group(generated: Side, real: Side, kind: str, name: str, seed: int, resamples: int) -> Group:
    one, other = places(generated, real, kind, name), real.of(kind, name)
    enough = min(len(one), len(other)) >= FEWEST
    entropies = generated.entropies[one], real.entropies[other]
    # Perplexities lie over orders of magnitude: equal bins of the logarithm.
    fluencies = np.log10(generated.perplexities[one]), np.log10(real.perplexities[other])
    vectors = generated.vectors[one], real.vectors[other]
    return Group(
        kind,
        name,
        len(one),
        len(other),
        divergence(*entropies, seed, resamples) if enough else None,
        divergence(*fluencies, seed, resamples) if enough else None,
        *(diversity(rows, seed, resamples) if len(rows) >= FEWEST else None for rows in vectors),
    )


def places(generated: Side, real: Side, kind: str, name: str) -> NDArray[np.intp]:
    """The generated questions that a group compares; but for a course by itself, of courses that both sets know.

    Else languages would be compared, not questions.
    """
    found = generated.of(kind, name)
    return found[_shared(generated, real, found)] if kind == "category" or name == ALL else found


def _shared(generated: Side, real: Side, places: NDArray[np.intp]) -> NDArray[np.bool_]:
    courses = {each.course for each in real.asked}
    return np.array([generated.asked[place].course in courses for place in places], dtype=bool)


def _points(
    generated: Side, real: Side, strange: NDArray[np.floating], seed: int
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """By method and source: as many generated and random questions as real ones, on courses that both know."""
    count = len(real.asked)
    source = np.random.default_rng(seed)
    fitting = places(generated, real, "course", ALL)
    chosen = source.choice(fitting, min(count, len(fitting)), replace=False)
    others = source.choice(len(strange), min(count, len(strange)), replace=False)
    rows = {"generated": generated.vectors[chosen], "real": real.vectors, "random": strange[others]}
    laid = plane(np.concatenate(list(rows.values())), seed)
    ends = np.cumsum([len(each) for each in rows.values()])[:-1]
    methods = {"t-SNE": laid.tsne, "principal components": laid.principal}
    return {method: dict(zip(rows, np.split(points, ends), strict=True)) for method, points in methods.items()}


def _pairs(points: Mapping[str, Mapping[str, NDArray[np.float64]]], seed: int) -> list[Pair]:
    pairs = (("generated", "real"), ("generated", "random"), ("real", "random"))
    return [
        Pair(method, one, other, hotelling(of[one], of[other], seed))
        for method, of in points.items()
        for one, other in pairs
    ]
