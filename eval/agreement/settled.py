"""Judgements by what they are of: the repeats of each, what most of them say, and how often they differ."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval.judge.judgement import Judgement
from eval.significance import Share, count_share


@dataclass(frozen=True, slots=True, order=True)
class Judged:
    """One answer of one run, by one criterion. of: which text it had: given anew, it is another under the same name."""

    run: str
    answer: str
    criterion: str
    of: str

    @property
    def name(self) -> tuple[str, str, str]:
        """What is the same of an answer that was given anew."""
        return self.run, self.answer, self.criterion


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
        found[each.judge][Judged(each.run, each.answer, each.criterion, each.of)][each.repeat] = each.value
    return {judge: {key: Repeats(verdicts) for key, verdicts in kept.items()} for judge, kept in found.items()}


def several_models(judgements: Iterable[Judgement]) -> dict[str, Counter[str]]:
    """Judges behind which the address reported more than one model: how many lines each of these has."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for each in judgements:
        if each.endpoint_model:
            found[each.judge][each.endpoint_model] += 1
    return {judge: models for judge, models in found.items() if len(models) > 1}


def flip_rate(judged: Iterable[Repeats]) -> Share:
    """How many of the answers with two or more readable repeats got both a yes and a no; the others are missing."""
    return count_share(repeats.flips for repeats in judged)
