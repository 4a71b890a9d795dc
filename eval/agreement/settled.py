"""Judgements by what they are of: the repeats of each, what most of them say, and how often they differ."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval.judge.judgement import Judgement
from eval.significance import Share, share


@dataclass(frozen=True, slots=True, order=True)
class Judged:
    """One answer of one run, by one criterion."""

    run: str
    answer: str
    criterion: str


@dataclass(frozen=True, slots=True)
class Repeats:
    """The verdicts of one judge on one answer by repeat; None where one could not be read."""

    verdicts: Mapping[int, bool | None]

    @property
    def settled(self) -> bool | None:
        """What most readable repeats say; None where none can be read, or as many say yes as no."""
        read = self.read
        return None if 2 * sum(read) == len(read) else 2 * sum(read) > len(read)

    @property
    def read(self) -> list[bool]:
        """The readable ones."""
        return [verdict for verdict in self.verdicts.values() if verdict is not None]

    @property
    def flips(self) -> bool | None:
        """Whether repeats contradict each other; None of fewer than two."""
        return len(set(self.read)) == 2 if len(self.read) > 1 else None


def by_judge(judgements: Iterable[Judgement]) -> dict[str, dict[Judged, Repeats]]:
    """Judge → what was judged → its repeats. Of a repeat that is there twice, the later line stands."""
    found: dict[str, dict[Judged, dict[int, bool | None]]] = defaultdict(lambda: defaultdict(dict))
    for each in judgements:
        found[each.judge][Judged(each.run, each.answer, each.criterion)][each.repeat] = each.value
    return {judge: {key: Repeats(verdicts) for key, verdicts in kept.items()} for judge, kept in found.items()}


def flip_rate(judged: Iterable[Repeats]) -> Share:
    """How many of the answers with two or more readable repeats got both a yes and a no; the others are missing."""
    return share(repeats.flips for repeats in judged)
