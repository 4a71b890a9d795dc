"""Two sets of questions compared, as tables: the paper's Tables 1 and 2, and every question with its measures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from eval.similarity.measures import compare_centres, measure_divergence, measure_diversity, measure_entropy, project
from eval.similarity.questions import SourceQuestion
from eval.table import Cell, Table
from scribe.plumbing.errors import UsageError

ALL = "all"
FEWEST = 4
"""Questions that a group must have in both sets to be compared."""
GROUPS_HEAD = (
    "group", "name", "generated", "real", "JSD entropy", "± entropy", "by chance, entropy", "JSD perplexity",
    "± perplexity", "by chance, perplexity", "cosine generated", "± generated", "cosine real", "± real",
)  # fmt: skip
GROUPS_NOTE = (
    "The real questions were written by our team as students would, not by students. Deviations are of 500 bootstrap "
    "samples unless told otherwise; “by chance” is the mean divergence with the labels shuffled, which small samples "
    "show without any difference. MiniLM, the default embedder, knows English only; elsewhere cosines are too high."
)
CENTRES_NOTE = (
    "t-SNE pulls neighbours together, so its points are no independent observations and p is too small; the shuffled p "
    "and the principal components, which are a plain rotation, stand beside it for that. There are as many generated "
    "and random questions as real ones. Another --seed draws other ones and lays another plane: p moves with it, so "
    "one run decides nothing near the limit."
)

Embed = Callable[[Sequence[str]], NDArray[np.floating]]
Perplexities = Callable[[Sequence[str]], NDArray[np.float64]]
Points = Mapping[str, NDArray[np.float64]]
"""By source, points (N, 2)."""
Row = tuple[Cell, ...]


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


def compare_questions(
    generated: Sequence[SourceQuestion],
    real: Sequence[SourceQuestion],
    random: Sequence[str],
    perplexities: Perplexities,
    embed: Embed,
    seed: int = 0,
    resamples: int = 500,
) -> tuple[Table, ...]:
    """Make all tables; the first three are short. random: questions on anything else.

    Raises UsageError if no course is in both sets.
    """
    courses = {each.course for each in real}
    if not any(each.course in courses for each in generated):
        raise UsageError(f"no generated question is about {', '.join(sorted(courses))}, so nothing can be compared")
    ours, theirs = (_measure_set(questions, perplexities, embed) for questions in (generated, real))
    by_method = _lay_out(ours, theirs, embed(list(random)), seed)
    rows = [_compare_group(ours, theirs, kind, name, seed, resamples) for kind, name in _name_groups(ours, theirs)]
    return (
        Table("groups", "Generated beside real questions", GROUPS_HEAD, rows, note=GROUPS_NOTE),
        _make_test_table(by_method, seed),
        _make_centre_table(by_method["t-SNE"]),
        _make_point_table(by_method["t-SNE"]),
        _make_question_table({"generated": ours, "real": theirs}),
    )


def _measure_set(questions: Sequence[SourceQuestion], perplexities: Perplexities, embed: Embed) -> QuestionSet:
    texts = [each.question for each in questions]
    entropies = np.array([measure_entropy(text) for text in texts])
    return QuestionSet(tuple(questions), entropies, perplexities(texts), embed(texts))


def _name_groups(generated: QuestionSet, real: QuestionSet) -> list[tuple[str, str]]:
    both = (*real.questions, *generated.questions)
    named = [(kind, str(getattr(each, kind))) for kind in ("course", "category") for each in both]
    return [("course", ALL), *dict.fromkeys(named)]


def _compare_group(generated: QuestionSet, real: QuestionSet, kind: str, name: str, seed: int, resamples: int) -> Row:
    """Divergence and diversity of a group; a measure is None where a set has too few."""
    ours, theirs = _find_comparable(generated, real, kind, name), real.find(kind, name)
    cells: list[Cell] = [kind, name, len(ours), len(theirs)]
    # Perplexities lie over orders of magnitude: equal bins of the logarithm.
    samples = (
        (generated.entropies[ours], real.entropies[theirs]),
        (np.log10(generated.perplexities[ours]), np.log10(real.perplexities[theirs])),
    )
    for one, other in samples:
        if min(len(one), len(other)) >= FEWEST:
            divergence = measure_divergence(one, other, seed, resamples)
            cells += [divergence.value, divergence.deviation, divergence.chance]
        else:
            cells += [None] * 3
    for vectors in (generated.vectors[ours], real.vectors[theirs]):
        diversity = measure_diversity(vectors, seed, resamples) if len(vectors) >= FEWEST else None
        cells += [diversity.cosine, diversity.deviation] if diversity else [None] * 2
    return tuple(cells)


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


def _make_test_table(by_method: Mapping[str, Points], seed: int) -> Table:
    """Hotelling's T² of each pair of sources (the paper's Table 2, right)."""
    head = ("method", "pair", "T²", "F", "df", "p", "p shuffled")
    rows: list[Row] = []
    for method, points in by_method.items():
        for one, other in combinations(points, 2):
            test = compare_centres(points[one], points[other], seed)
            degrees = f"{test.degrees[0]}, {test.degrees[1]}"
            rows.append((method, f"{one} – {other}", test.t2, test.f, degrees, test.p, test.shuffled_p))
    return Table("hotelling", "Whether the centres differ", head, rows, note=CENTRES_NOTE)


def _make_centre_table(points: Points) -> Table:
    """Where each source lies on the t-SNE plane (the paper's Table 2, left)."""
    head = ("source", "n", "x", "y", "sd x", "sd y", "se x", "se y")
    rows: list[Row] = []
    for source, each in points.items():
        mean, spread = each.mean(0), each.std(0, ddof=1)
        error = spread / np.sqrt(len(each))
        rows.append((source, len(each), *(float(value) for value in (*mean, *spread, *error))))
    return Table("centres", "t-SNE coordinates", head, rows)


def _make_point_table(points: Points) -> Table:
    rows = [(source, float(x), float(y)) for source, each in points.items() for x, y in each]
    return Table("tsne", "t-SNE coordinates of each question", ("source", "x", "y"), rows)


def _make_question_table(sets: Mapping[str, QuestionSet]) -> Table:
    head = ("set", "course", "category", "words", "entropy", "perplexity", "question")
    rows = [
        (name, each.course, each.category, len(each.question.split()), float(bits), float(perplexity), each.question)
        for name, found in sets.items()
        for each, bits, perplexity in zip(found.questions, found.entropies, found.perplexities, strict=True)
    ]
    return Table("questions", "Questions", head, rows)
