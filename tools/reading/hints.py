"""What a question seems to ask, in a few words, as a hint for the model.

A small language model reads a question it has never seen in that form worse than a network that knows thousands of
wordings and is large where it matters. So one (`tools.reading.reader`), trained by `finetune.hints` on the known
wordings, names what is likeliest, and the prompt carries that behind the question. It is advice, not a route: the model
sees wrong hints in training too and chooses among what a hint names (`tools.reading.first_thought`), freely where it
names nothing clear.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress

from scribe.trajectory import Exchange
from tools.embedder import Embedder
from tools.reading.known_questions import OUTSIDE, SAME, SMALL_TALK, again, asks
from tools.reading.reader import BOTH, LEANING, Head

log = logging.getLogger(__name__)

MOST, OR, AND = 3, "; or ", "; and "
WORTH_NAMING = 0.12
"""Probability from which another reading than the likeliest is named too."""
RECENT = 4
"""Exchanges that are read to know what was talked about."""
LEANS = 0.3
"""Probability from which a question is read together with the one before: leaving that out harms most."""
SURE = 0.5
"""Below this the likeliest reading of a question that leans on the one before is that it asks the same: people go on
with what they talk about, in more ways than any list has."""
TWO = 0.5
"""Probability from which a question is taken to ask two things at once."""
MARKS = "?.!;:,"
JOINTS = frozenset({"and", "also", "plus", "then", "oh", "or", "but", "besides", "ps", "btw", "&"}) | frozenset(
    {"et", "aussi", "puis", "ensuite", "ou", "mais", "sinon"}
)
LEAST, MOST_PARTINGS = 2, 8
"""Words that a part has at least; ways of parting that are tried."""


class Hints:
    """Hints for one embedder; without a head for it, every hint is empty."""

    def __init__(self, embedder: Embedder, head: Head | None) -> None:
        self._head, self._embedder = head, embedder
        # A question is looked at twice, and again as history when the next one comes.
        self._vector = lru_cache(maxsize=256)(lambda question: embedder.embed([question], role="query")[0])
        if head and head.fingerprint != embedder.fingerprint:
            log.warning("no hints: they were learned for another embedder; run `python -m finetune.hints`")
            self._head = None

    def __call__(self, question: str, history: Sequence[Exchange] = ()) -> str:
        """What the question seems to ask, the likeliest first, at most three, as the end of “The question is …”.

        Two that are asked at once are joined by “and”.
        """
        before = self.before(history)
        if two := self.two(question, before):
            return AND.join(two)
        return worded(self.readings(question, before), before or "")

    def two(self, question: str, before: str | None, behind: "Hints | None" = None) -> tuple[str, ...]:
        """The two things that a question seems to ask at once; empty if it seems to ask one.

        That it asks two is seen as a whole; what they are, where its two parts are read by themselves. It is parted
        where both readings are surest. behind: reads the second part, by default these hints too.
        """
        shares = self._shares(question, before)
        ways = list(parted(question))
        if not ways or sum(share for name, share in shares if name.endswith(BOTH)) < TWO:
            return ()
        first, second = (list(each) for each in zip(*ways, strict=True))
        read = zip(self._alone(first), (behind or self)._alone(second), strict=True)
        found = [(sure * surer, (one, other)) for (sure, one), (surer, other) in read if one != other]
        best = max(found)[1] if found else ()
        # What seems to lie outside the course is mostly what a student tells of life around one question.
        return () if asks(OUTSIDE) in best else best

    def _alone(self, parts: Sequence[str]) -> list[tuple[float, str]]:
        """Of each part, as a question of its own, the likeliest reading with its probability; none is small talk."""
        head = self._head
        if head is None:
            return [(0.0, "")] * len(parts)
        vectors = self._embedder.embed(parts, role="query")  # all at once, and not kept
        probabilities = (head.probabilities(part, row, None) for part, row in zip(parts, vectors, strict=True))
        whole = [not name.endswith((LEANING, BOTH)) and name != asks(SMALL_TALK) for name in head.asks]
        return [max(compress(zip(each.tolist(), head.asks, strict=True), whole)) for each in probabilities]

    def leans(self, question: str, before: str) -> bool:
        """Whether a question that follows another cannot be understood without it; without a head, all may.

        before: what that asked; empty if it is not known.
        """
        shares = self._shares(question, before)
        return not shares or sum(share for name, share in shares if name.endswith(LEANING)) >= LEANS

    def readings(self, question: str, before: str | None) -> tuple[str, ...]:
        """The likeliest readings, best first; that it asks the same as before only if there was something.

        before: what that asked; empty if it is not known.
        """
        votes, leaning, follows = Counter[str](), Counter[str](), before is not None
        for name, share in self._shares(question, before):
            meant = name.removesuffix(LEANING).removesuffix(BOTH)
            if follows or not name.endswith(LEANING):
                votes[meant] += share  # type: ignore[assignment]
            if name.endswith(LEANING):
                leaning[meant] += share  # type: ignore[assignment]
        ranked = votes.most_common(MOST)
        named = [name for n, (name, share) in enumerate(ranked) if not n or share >= WORTH_NAMING]
        if follows and ranked and _is_unclear(*ranked[0], leaning):
            named = [asks(SAME), *named]
        return tuple(named[:MOST])

    def _shares(self, question: str, before: str | None) -> list[tuple[str, float]]:
        """The probability of each output, by its name."""
        if self._head is None:
            return []
        shares = self._head.probabilities(question, self._vector(question), before)
        return list(zip(self._head.asks, shares.tolist(), strict=True))

    def before(self, history: Sequence[Exchange]) -> str | None:
        """What the conversation was about: the last question on the course that said so itself, no small talk.

        Empty if none did, None if there was none.
        """
        recent = history[-RECENT:]
        about = None if len(history) <= RECENT else ""
        for exchange in recent:
            named = self.readings(exchange.question, about)
            about = named[0] if named and named[0] not in again() | {asks(SMALL_TALK), asks(OUTSIDE)} else about or ""
        return about


def _is_unclear(reading: str, share: float, leaning: Mapping[str, float]) -> bool:
    """Whether a question that leans on the one before has no reading that is likely, and none that goes on from it."""
    leans = leaning[reading] > share / 2
    return leans and share < SURE and not any(leaning[each] >= WORTH_NAMING for each in again())


def parted(question: str) -> Iterator[tuple[str, str]]:
    """Ways to part a question in two: behind a mark or before a word that joins, else between words.

    No more than `MOST_PARTINGS`, spread over the question.
    """
    words = question.split()
    inner = range(LEAST, len(words) - LEAST + 1)
    places = [at for at in inner if words[at - 1][-1] in MARKS or words[at].casefold() in JOINTS] or list(inner)
    step = max(1.0, len(places) / MOST_PARTINGS)
    chosen = (places[int(number * step)] for number in range(min(len(places), MOST_PARTINGS)))
    yield from ((" ".join(words[:at]), " ".join(words[at:])) for at in chosen)


def worded(readings: Sequence[str], before: str) -> str:
    """Readings as a hint; one that asks the same as before says what that was."""
    return OR.join(f"{before}, {each}" if before and each in again() else each for each in readings)
