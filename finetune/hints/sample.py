"""Known wordings as students might type them, embedded: what hints are learned from and measured on."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from data.bundle import find
from data.catalogue_languages import catalogue_in
from data.course import Course
from finetune.hints.earlier import earlier
from finetune.questions import Generator
from finetune.questions.generator import LOOKED_UP
from tools.embedder import Embedder, MiniLM, Vectors
from tools.reading.known_questions import OF_TOPIC, Known, again, asks, known

DRAWS = 4
FOLLOWING = 0.3
"""How often a wording that stands alone is drawn as if an exchange went before it."""
WORRIED, LIVED, QUOTED, DOUBLED = 0.12, 0.1, 0.1, 0.1
"""How often what is on the asker's mind stands before a question, a piece of life, words of a report; another question
behind it."""
STUDENTS = 40
"""Of a course, whose reports are quoted."""
TAUGHT = ("dsp", "lnv", "geo", "va")
"""The courses whose lessons the embedded model learns from."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Questions (N) as students might type them, their embeddings (N, D), what was asked before each, and what each
    asks; two things where there is an entry in `others`.

    D is 0 where nothing was embedded; `before` is None where nothing was asked before, and empty where it is not known.
    """

    texts: tuple[str, ...]
    vectors: Vectors
    before: tuple[str | None, ...]
    known: tuple[Known, ...]
    others: tuple[Known | None, ...]

    def only(self, chosen: Sequence[bool]) -> "Sample":
        """The rows where `chosen` is True."""
        rows = np.flatnonzero(chosen)
        return Sample(
            tuple(self.texts[row] for row in rows),
            self.vectors[rows],
            tuple(self.before[row] for row in rows),
            tuple(self.known[row] for row in rows),
            tuple(self.others[row] for row in rows),
        )


def sample(embedder: Embedder | None, course: Course, held_out: bool, draws: int = DRAWS, seed: int = 0) -> Sample:
    """Every wording of one side in the course's language `draws` times, its slots filled and its manner roughened.

    A wording that stands alone may also follow a question; one that leans on another always does. Some have words of
    worry, of the asker's life or of a report before them, and some another question behind them.
    """
    generator = Generator(course, catalogue_in(course.language), seed, held_out)
    rows = [one for one in known(held_out, course.language) for _ in range(draws)]
    drawn = list(_typed(generator, course, rows))
    before = tuple(_before(one, generator.random) for one in rows)
    texts = tuple(text for text, _ in drawn)
    others = tuple(other for _, other in drawn)
    vectors = embedder.embed(texts, "query") if embedder else np.zeros((len(texts), 0), np.float32)
    return Sample(texts, vectors, before, tuple(rows), others)


def samples(embedder: Embedder | None, courses: Sequence[Course], held_out: bool, seed: int = 0) -> Sample:
    """The samples of several courses as one; the courses of a language share its draws."""
    sharing = {one.language: sum(each.language == one.language for each in courses) for one in courses}
    each = [
        sample(embedder, course, held_out, -(-DRAWS // sharing[course.language]), seed + n)
        for n, course in enumerate(courses)
    ]
    return Sample(
        tuple(text for one in each for text in one.texts),
        np.concatenate([one.vectors for one in each]),
        tuple(before for one in each for before in one.before),
        tuple(known for one in each for known in one.known),
        tuple(other for one in each for other in one.others),
    )


def drawn() -> Sample:
    """The wordings for training over all courses that are taught, not embedded."""
    return samples(None, [find(name) for name in TAUGHT], held_out=False)


@cache
def training() -> Sample:
    """The same, embedded by MiniLM: takes minutes, once a process."""
    return samples(MiniLM(), [find(name) for name in TAUGHT], held_out=False)


def _before(one: Known, draw: random.Random) -> str | None:
    return earlier(one, draw) if one.leaning or draw.random() < FOLLOWING else None


def _typed(generator: Generator, course: Course, rows: Sequence[Known]) -> Iterator[tuple[str, Known | None]]:
    """Each wording as somebody might type it, with the other one where it asks two things."""
    draw, manner = generator.random, generator.manner
    searched = {asks(intent): intent for intent in LOOKED_UP} | {asks(OF_TOPIC): "prerequisites"}
    alone = [one for one in rows if not one.leaning and one.asks not in {asks("smalltalk"), *again()}]
    reports = [text for student in list(course.students.values())[:STUDENTS] for text in student.reports.values()]
    for one in rows:
        text, other = generator.typed(one.wording, searched.get(one.asks, "")), None
        if one.asks == asks("smalltalk"):
            yield text, None
            continue
        if not one.leaning and draw.random() < DOUBLED:
            other = _another(one, alone, draw)
            text = manner.joined(text, manner.ungreeted(generator.typed(other.wording, searched.get(other.asks, ""))))
        if draw.random() < WORRIED:
            text = manner.stressed(text)
        if draw.random() < LIVED:
            text = manner.situated(text)
        elif reports and draw.random() < QUOTED:
            text = manner.told(text, draw.choice(reports))
        yield text, other


def _another(one: Known, among: Sequence[Known], draw: random.Random) -> Known:
    """A wording that asks something else."""
    while (other := draw.choice(among)).asks == one.asks:
        pass
    return other
