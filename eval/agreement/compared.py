"""Every pair of raters by criterion: two people, a judge and a person, a judge and what the people agree on."""

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eval.agreement.joining import Labels
from eval.agreement.kappa import Agreement, agreement
from eval.agreement.settled import Judged, Repeats, flip_rate
from eval.significance import Share

OVERALL = "overall"
TOGETHER = "people who agree"


@dataclass(frozen=True, slots=True)
class Spread:
    """Kappa over a judge's repeats: how many have one, their mean, and their sample standard deviation (NaN of one)."""

    count: int
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two raters by one criterion, or all of them (`OVERALL`). Of a judge with repeats, what most of them say.

    spread: of a judge, over its repeats each taken alone. flips: in how many answers its repeats contradict each other.
    human: whether both are people. Where `other` is a judge, `one` is a person or `TOGETHER`.
    """

    criterion: str
    one: str
    other: str
    agreement: Agreement
    human: bool
    spread: Spread | None = None
    flips: Share | None = None


def pairs(labels: Labels, judges: Mapping[str, Mapping[Judged, Repeats]]) -> list[Pair]:
    """All pairs by criterion and overall, people first. Only what both raters had before them is counted."""
    people = [*labels.items()]
    if len(people) > 1:
        people.append((TOGETHER, _together([*labels.values()])))
    every = sorted({key.criterion for marks in labels.values() for key in marks})
    found = []
    for criterion in [*every, OVERALL]:
        for (one, ones), (other, others) in itertools.combinations(labels.items(), 2):
            both = _of(criterion, ones.keys() & others.keys())
            seen = agreement((ones[key], others[key]) for key in both)
            found.append(Pair(criterion, one, other, seen, human=True))
        for judge, (one, ones) in itertools.product(judges, people):
            found.append(_judged(criterion, (one, ones), (judge, judges[judge])))
    return [pair for pair in found if pair.agreement.agreed.of + pair.agreement.agreed.missing]


def _judged(
    criterion: str, person: tuple[str, Mapping[Judged, bool]], judge: tuple[str, Mapping[Judged, Repeats]]
) -> Pair:
    (one, ones), (other, others) = person, judge
    both = _of(criterion, ones.keys() & others.keys())
    seen = agreement((ones[key], others[key].settled) for key in both)
    return Pair(
        criterion, one, other, seen, human=False, spread=_spread(both, ones, others),
        flips=flip_rate(others[key] for key in both),
    )  # fmt: skip


def _spread(both: Sequence[Judged], ones: Mapping[Judged, bool], others: Mapping[Judged, Repeats]) -> Spread | None:
    repeats = sorted({number for key in both for number in others[key].verdicts})
    each = [agreement((ones[key], others[key].verdicts.get(number)) for key in both).kappa for number in repeats]
    kappas = [kappa for kappa in each if kappa == kappa]
    if not kappas:
        return None
    deviation = statistics.stdev(kappas) if len(kappas) > 1 else float("nan")
    return Spread(len(kappas), statistics.fmean(kappas), deviation)


def _together(all_marks: Sequence[Mapping[Judged, bool]]) -> dict[Judged, bool]:
    """What at least two people labelled, and all who did labelled alike."""
    marks: dict[Judged, list[bool]] = {}
    for key, value in itertools.chain.from_iterable(each.items() for each in all_marks):
        marks.setdefault(key, []).append(value)
    return {key: values[0] for key, values in marks.items() if len(values) > 1 and len(set(values)) == 1}


def _of(criterion: str, keys: Iterable[Judged]) -> list[Judged]:
    return sorted(key for key in keys if criterion in (OVERALL, key.criterion))
