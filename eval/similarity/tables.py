"""The comparison as tables: the paper's Tables 1 and 2, and every question with what was measured of it."""

from collections.abc import Iterator

import numpy as np

from eval.similarity.divergence import Divergence
from eval.similarity.diversity import Diversity
from eval.similarity.measured import Measured, Side
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


def groups(measured: Measured) -> Table:
    """Divergence and diversity by course and category (the paper's Table 1)."""
    head = ("group", "name", "generated", "real", *_named("entropy"), *_named("perplexity"), *_cosines())
    rows = [
        (
            each.kind, each.name, each.generated, each.real, *_divergence(each.entropy), *_divergence(each.perplexity),
            *_cosine(each.generated_cosine), *_cosine(each.real_cosine),
        )
        for each in measured.groups
    ]  # fmt: skip
    return Table("groups", "Generated beside real questions", head, rows, note=OURS)


def pairs(measured: Measured) -> Table:
    """Hotelling's T² of each pair of sources (the paper's Table 2, right)."""
    head = ("method", "pair", "T²", "F", "df", "p", "p shuffled")
    rows: list[tuple[Cell, ...]] = []
    for each in measured.pairs:
        t = each.test
        degrees = f"{t.degrees[0]}, {t.degrees[1]}"
        rows.append((each.method, f"{each.one} – {each.other}", t.t2, t.f, degrees, t.p, t.shuffled_p))
    return Table("hotelling", "Whether the centres differ", head, rows, note=CAUTION)


def centres(measured: Measured) -> Table:
    """Where each source lies on the t-SNE plane (the paper's Table 2, left)."""
    head = ("source", "n", "x", "y", "sd x", "sd y", "se x", "se y")
    rows: list[tuple[Cell, ...]] = []
    for source, points in measured.points.items():
        mean, spread = points.mean(0), points.std(0, ddof=1)
        error = spread / np.sqrt(len(points))
        rows.append((source, len(points), *(float(value) for value in (*mean, *spread, *error))))
    return Table("centres", "t-SNE coordinates", head, rows)


def points(measured: Measured) -> Table:
    """The points of the t-SNE figure."""
    rows = [(source, float(x), float(y)) for source, each in measured.points.items() for x, y in each]
    return Table("tsne", "t-SNE coordinates of each question", ("source", "x", "y"), rows)


def questions(measured: Measured) -> Table:
    """Every question with its words, entropy and perplexity."""
    head = ("set", "course", "category", "words", "entropy", "perplexity", "question")
    sides = ("generated", measured.generated), ("real", measured.real)
    return Table("questions", "Questions", head, [row for name, side in sides for row in _questions(name, side)])


def _questions(name: str, side: Side) -> Iterator[tuple[Cell, ...]]:
    for each, bits, fluency in zip(side.asked, side.entropies, side.perplexities, strict=True):
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
