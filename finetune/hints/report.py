"""How well hints read questions of wordings that they were not learned from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from finetune.hints.sample import Sample
from tools.embedder import Embedder, Role, Vectors
from tools.reading.hints import Hints
from tools.reading.reader import Head

NEIGHBOURS = 8


def report(head: Head, embedder: Embedder, held: Sample) -> str:
    """Shares of held-out questions, embedded by the head's own embedder: likeliest reading right, and among the named.

    And of those that follow another, whether it is seen if they lean on it; of those that ask two things, whether both
    are named, and of the others, whether two are seen where there is one.
    """
    first = among = leaning = single = both = false = 0
    rows = zip(held.texts, held.vectors, held.before, held.known, held.others, strict=True)
    for text, vector, before, one, other in rows:
        hints = Hints(_Known(text, vector, embedder), head)
        two = hints.two(text, before)
        if other is not None:
            both += set(two) == {one.asks, other.asks}
            continue
        single += 1
        named = hints.readings(text, before)
        false += bool(two)
        first += named[0] == one.asks
        among += one.asks in named
        leaning += before is not None and hints.leans(text, before) == one.leaning
    following = sum(b is not None for b, other in zip(held.before, held.others, strict=True) if other is None)
    doubled = len(held.known) - single
    return (
        f"{single} held-out questions: likeliest hint right {first / single:.3f}, "
        f"among the named {among / single:.3f}; whether it leans {leaning / max(following, 1):.3f} of "
        f"{following}; of {doubled} that ask two things "
        f"both named {both / max(doubled, 1):.3f}, two seen in one {false / single:.3f}"
    )


def by_neighbours(held: Sample, training: Sample) -> float:
    """The share of held-out questions that a vote of the nearest known wordings reads right; both embedded alike."""
    single = [row for row, other in enumerate(held.others) if other is None]
    return sum(_vote(training, held.vectors[row]) == held.known[row].asks for row in single) / max(len(single), 1)


@dataclass(frozen=True, slots=True)
class _Known:
    """An embedder that has the vector of one text already; a part of it is embedded when it is asked for."""

    text: str
    vector: Vectors
    whole: Embedder

    @property
    def fingerprint(self) -> str:
        return self.whole.fingerprint

    @property
    def languages(self) -> tuple[str, ...]:
        return self.whole.languages

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        return self.vector[None] if list(texts) == [self.text] else self.whole.embed(texts, role)


def _vote(training: Sample, vector: Vectors) -> str:
    """What most of the nearest known wordings ask; of each wording the nearest draw counts."""
    near: dict[str, str] = {}
    for place in (-(training.vectors @ vector)).argsort():
        near.setdefault(training.known[place].wording, training.known[place].asks)
        if len(near) == NEIGHBOURS:
            break
    return Counter(near.values()).most_common(1)[0][0]
