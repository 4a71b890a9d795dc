"""The comparison as tables: the paper's Tables 1 and 2, and every question with what was measured of it."""

from collections.abc import Iterator

import numpy as np

from eval.similarity.comparison import QuestionComparison, QuestionSet
from eval.similarity.measures import Divergence, Diversity
from eval.table import Cell, Table

OURS = (
    "The real questions were written by our team as students would, not by students. Deviations are of 500 bootstrap "
    "samples unless told otherwise; “by chance” is the mean divergence with the labels shuffled, which small samples "
    "show without any difference. MiniLM, the default embedder, knows English only; elsewhere cosines are too high."
)
CAUTION = (
    "t-SNE pulls neighbours together, so its points are no independent observations and p is too small; the shuffled p "
    "and the principal components, which are a plain rotation, stand beside it for that. There are as many generated "
    "and random questions as real ones. Another --seed draws other ones and lays another plane: p moves with it, so "
    "one run decides nothing near the limit."
)


def make_tables(compared: QuestionComparison) -> tuple[Table, ...]:
    """Make all tables; the first three are short enough to print."""
    makers = (make_group_table, make_centre_test_table, make_centre_table, make_point_table, make_question_table)
    return tuple(make(compared) for make in makers)


def make_group_table(compared: QuestionComparison) -> Table:
    """List divergence and diversity by course and category (the paper's Table 1)."""
    head = ("group", "name", "generated", "real", *_named("entropy"), *_named("perplexity"), *_cosines())
    rows = [
        (
            each.kind, each.name, each.generated, each.real, *_divergence(each.entropy), *_divergence(each.perplexity),
            *_cosine(each.generated_cosine), *_cosine(each.real_cosine),
        )
        for each in compared.groups
    ]  # fmt: skip
    return Table("groups", "Generated beside real questions", head, rows, note=OURS)


def make_centre_test_table(compared: QuestionComparison) -> Table:
    """List Hotelling's T² of each pair of sources (the paper's Table 2, right)."""
    head = ("method", "pair", "T²", "F", "df", "p", "p shuffled")
    rows: list[tuple[Cell, ...]] = []
    for each in compared.centres:
        t = each.test
        degrees = f"{t.degrees[0]}, {t.degrees[1]}"
        rows.append((each.method, f"{each.one} – {each.other}", t.t2, t.f, degrees, t.p, t.shuffled_p))
    return Table("hotelling", "Whether the centres differ", head, rows, note=CAUTION)


def make_centre_table(compared: QuestionComparison) -> Table:
    """List where each source lies on the t-SNE plane (the paper's Table 2, left)."""
    head = ("source", "n", "x", "y", "sd x", "sd y", "se x", "se y")
    rows: list[tuple[Cell, ...]] = []
    for source, points in compared.points.items():
        mean, spread = points.mean(0), points.std(0, ddof=1)
        error = spread / np.sqrt(len(points))
        rows.append((source, len(points), *(float(value) for value in (*mean, *spread, *error))))
    return Table("centres", "t-SNE coordinates", head, rows)


def make_point_table(compared: QuestionComparison) -> Table:
    """List the points of the t-SNE plane."""
    rows = [(source, float(x), float(y)) for source, each in compared.points.items() for x, y in each]
    return Table("tsne", "t-SNE coordinates of each question", ("source", "x", "y"), rows)


def make_question_table(compared: QuestionComparison) -> Table:
    """List every question with its words, entropy and perplexity."""
    head = ("set", "course", "category", "words", "entropy", "perplexity", "question")
    sides = ("generated", compared.generated), ("real", compared.real)
    return Table("questions", "Questions", head, [row for name, side in sides for row in _questions(name, side)])


def _questions(name: str, side: QuestionSet) -> Iterator[tuple[Cell, ...]]:
    for each, bits, fluency in zip(side.questions, side.entropies, side.perplexities, strict=True):
        words = len(each.question.split())
        yield name, each.course, each.category, words, float(bits), float(fluency), each.question


def _named(measure: str) -> tuple[str, ...]:
    return f"JSD {measure}", f"± {measure}", f"by chance, {measure}"


def _cosines() -> tuple[str, ...]:
    return "cosine generated", "± generated", "cosine real", "± real"


def _divergence(each: Divergence | None) -> tuple[Cell, ...]:
    return (each.value, each.deviation, each.chance) if each else (None, None, None)


def _cosine(each: Diversity | None) -> tuple[Cell, ...]:
    return (each.cosine, each.deviation) if each else (None, None)
