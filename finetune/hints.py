"""Train the hints: from the embedding of a question to what it asks, on the known wordings.

    python -m finetune.hints

Prints how often the likeliest hint, and one of the named ones, is right for held-out wordings, beside a vote of
the nearest known wordings. Takes about three minutes on two cores.
"""

import argparse
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor, nn

from data.bundle import EMBEDDED, HINTS, find
from data.catalogue import load_catalogue
from data.course import Course
from finetune import sums
from finetune.questions import Generator
from scribe.trajectory import Exchange
from tools.embedder import Embedder, Role, SentenceEmbedder, Vectors
from tools.hints import LEANING, SCALE, Head, Hints, save, worded
from tools.known_questions import Known, known

HIDDEN, DROPPED, BLURRED = 512, 0.5, 0.05
PASSES, BATCH, RATE = 25, 128, 3e-3
DRAWS = 4
FOLDS, WITHOUT, JOINED = 5, 20, 3
NEIGHBOURS = 8
TAUGHT = ("dsp", "lnv")
"""The courses whose lessons the embedded model learns from: those taught in English."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Questions as students might type them: embeddings (N, D), whether each follows another, what each is."""

    vectors: Vectors
    follows: Vectors
    known: tuple[Known, ...]

    def only(self, chosen: Sequence[bool]) -> "Sample":
        """The rows where `chosen` is True."""
        rows = np.flatnonzero(chosen)
        return Sample(self.vectors[rows], self.follows[rows], tuple(self.known[row] for row in rows))


Hinting = Callable[[str, Sequence[Exchange], Sequence[str]], str]
"""From a question, what went before, and the wordings that these and it were made from (its own last), to its hint."""


def sample(embedder: Embedder, course: Course, held_out: bool, draws: int = DRAWS, seed: int = 0) -> Sample:
    """Every wording of one side `draws` times, its slots filled and its manner roughened.

    A wording that stands alone may also follow a question; one that leans on another always does.
    """
    generator = Generator(course, load_catalogue(), seed, held_out)
    rows = [one for one in known(held_out) for _ in range(draws)]
    vectors = embedder.embed([generator.typed(one.wording) for one in rows], "query")
    follows = np.array([one.leaning or generator.random.random() < 0.3 for one in rows], np.float32)
    return Sample(vectors, follows, tuple(rows))


def samples(embedder: Embedder, courses: Sequence[Course], held_out: bool, seed: int = 0) -> Sample:
    """The samples of several courses as one."""
    each = [sample(embedder, course, held_out, -(-DRAWS // len(courses)), seed + n) for n, course in enumerate(courses)]
    return Sample(
        np.concatenate([one.vectors for one in each]),
        np.concatenate([one.follows for one in each]),
        tuple(known for one in each for known in one.known),
    )


def train_jointly(given: Sample, fingerprint: str, count: int = JOINED) -> Head:
    """Several heads in one whose scores are their means: less depends on the luck of one draw."""
    heads = [train(given, fingerprint, seed) for seed in range(count)]
    return Head(
        np.concatenate([head.inner for head in heads], axis=1),
        np.concatenate([head.inner_bias for head in heads]),
        (np.concatenate([head.outer for head in heads]) / count).astype(np.float32),
        np.mean([head.outer_bias for head in heads], axis=0, dtype=np.float32),
        heads[0].asks,
        fingerprint,
    )


def train(given: Sample, fingerprint: str, seed: int = 0) -> Head:
    """One head for the sample."""
    torch.manual_seed(seed)
    names = sorted({_output(one) for one in given.known})
    wanted = torch.tensor([names.index(_output(one)) for one in given.known])
    inputs = torch.from_numpy(np.column_stack([given.vectors * SCALE, given.follows]).astype(np.float32))
    inner, outer = nn.Linear(inputs.shape[1], HIDDEN), nn.Linear(HIDDEN, len(names))
    network = nn.Sequential(nn.Dropout(0.1), inner, nn.ReLU(), nn.Dropout(DROPPED), outer)
    _fit(network, inputs, wanted)
    return Head(
        _array(inner.weight.T),
        _array(inner.bias),
        _array(outer.weight.T),
        _array(outer.bias),
        tuple(names),
        fingerprint,
    )


def folded(given: Sample, embedder: Embedder) -> Hinting:
    """Hints for training questions, each from a head that was trained without the question's wording.

    A head that knows the wording is nearly always right, and its pupil would trust hints too much. One question
    in `WITHOUT` gets no hint, so that the pupil learns to read too.
    """
    return by_fold([fold(given, embedder.fingerprint, number) for number in range(FOLDS)], embedder)


def fold(given: Sample, fingerprint: str, number: int) -> Head:
    """The head of one fold, which has seen the wordings of all others."""
    return train(given.only([_fold(one.wording) != number for one in given.known]), fingerprint, number)


def by_fold(heads: Sequence[Head], embedder: Embedder) -> Hinting:
    """Hints from the heads of all folds, in their order, as `folded` gives them."""
    hints = [Hints(embedder, head) for head in heads]

    def hinting(question: str, history: Sequence[Exchange], wordings: Sequence[str]) -> str:
        if zlib.crc32(question.encode()) % WITHOUT == 0:
            return ""
        # A generated question follows one other at most, and that one nothing.
        before = [hints[_fold(w)].readings(e.question, False) for e, w in zip(history, wordings[:-1], strict=True)]
        readings = hints[_fold(wordings[-1])].readings(question, bool(history))
        return worded(readings, before[-1][0] if before else "")

    return hinting


def plain(embedder: Embedder, head: Head) -> Hinting:
    """Hints for questions of held-out wordings, as they are made when the model is in use."""
    hints = Hints(embedder, head)
    return lambda question, history, _: hints(question, history)


def report(head: Head, held: Sample, training: Sample) -> str:
    """Shares of held-out questions: likeliest right, among the named, and right by the nearest wordings.

    And of those that follow another: whether it is seen if they lean on it.
    """
    first = among = vote = leaning = 0
    for vector, follows, one in zip(held.vectors, held.follows, held.known, strict=True):
        hints = Hints(_Fixed(vector, head.fingerprint), head)
        named = hints.readings("", bool(follows))
        first += named[0] == one.asks
        among += one.asks in named
        vote += _vote(training, vector) == one.asks
        leaning += bool(follows) and hints.leans("") == one.leaning
    count, following = len(held.known), max(int(held.follows.sum()), 1)
    return (
        f"{count} held-out questions: likeliest hint right {first / count:.3f}, among the named {among / count:.3f}; "
        f"vote of {NEIGHBOURS} neighbours {vote / count:.3f}; whether it leans {leaning / following:.3f} of {following}"
    )


@dataclass(frozen=True, slots=True)
class _Fixed:
    """An embedder that knows one vector, so that hints can be asked about a question embedded before."""

    vector: Vectors
    fingerprint: str
    languages: tuple[str, ...] = ("en",)

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        return self.vector[None]


def _output(one: Known) -> str:
    """What the network calls a wording: what it asks, and whether it leans on a question before."""
    return one.asks + (LEANING if one.leaning else "")


def _vote(training: Sample, vector: Vectors) -> str:
    """What most of the nearest known wordings ask; of each wording the nearest draw counts."""
    near: dict[str, str] = {}
    for place in np.argsort(-(training.vectors @ vector)):
        near.setdefault(training.known[place].wording, training.known[place].asks)
        if len(near) == NEIGHBOURS:
            break
    return Counter(near.values()).most_common(1)[0][0]


def _fit(network: nn.Module, inputs: Tensor, wanted: Tensor) -> None:
    steps = PASSES * len(inputs) // BATCH
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(steps):
        rows = torch.randint(len(inputs), (BATCH,))
        loss = F.cross_entropy(network(inputs[rows]), wanted[rows], label_smoothing=BLURRED)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        optimizer.step()
        schedule.step()


def _array(weight: Tensor) -> Vectors:
    return np.ascontiguousarray(weight.detach().numpy())


def _fold(wording: str) -> int:
    return zlib.crc32(wording.encode()) % FOLDS


def main() -> None:
    """Train, say how well it reads, and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=EMBEDDED / HINTS)
    given = parser.parse_args()
    embedder, courses = SentenceEmbedder(), [find(name) for name in TAUGHT]
    training, held = samples(embedder, courses, held_out=False), samples(embedder, courses, held_out=True, seed=7)
    head = train_jointly(training, embedder.fingerprint)
    print(report(head, held, training))
    save(head, given.out)
    sums.update(given.out)


if __name__ == "__main__":
    main()
