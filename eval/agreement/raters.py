"""How far two raters agree: raw agreement, Cohen's kappa and what it depends on, for every pair by criterion."""

import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sklearn.metrics import cohen_kappa_score

from eval.agreement.ratings import JudgeRatings, Labels, RatedAnswer, Repeats, count_flips
from eval.significance import Interval, Share, count_share

OVERALL = "overall"
TOGETHER = "people who agree"


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Two raters who said yes or no of the same things.

    agreed: in how many of the things both rated they say the same. kappa: −1 to 1, NaN where it is undefined.
    interval: of kappa, 95 %.
    one, other: how often each says yes (prevalence): kappa is low where nearly all is yes.
    """

    agreed: Share
    kappa: float
    interval: Interval | None
    one: Share
    other: Share

    @property
    def constant(self) -> float:
        """The raw agreement with the first rater of somebody who always says what that rater says most often."""
        return max(self.one.value, 1 - self.one.value)


@dataclass(frozen=True, slots=True)
class KappaSpread:
    """Kappa over a judge's repeats: how many have one, their mean, and their sample standard deviation (NaN of one)."""

    count: int
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters by one criterion, or all of them (`OVERALL`).

    other: a person, or a judge; of a judge with repeats, what most of them say. human: whether both are people.
    one: a person, or beside a judge also `TOGETHER`.
    spread: of a judge, over its repeats each taken alone. flips: in how many answers its repeats contradict each other.
    """

    criterion: str
    one: str
    other: str
    agreement: RaterAgreement
    human: bool
    spread: KappaSpread | None = None
    flips: Share | None = None


def measure_agreement(pairs: Iterable[tuple[bool | None, bool | None]]) -> RaterAgreement:
    """Measure how far two raters agree; pairs in which one has nothing readable are missing in `agreed`.

    Kappa after Cohen (1960). It is undefined where both say only yes or both only no: then agreement is whole, and
    nothing is known of whether they can tell the two apart.
    """
    given = list(pairs)
    read = [(bool(one), bool(other)) for one, other in given if one is not None and other is not None]
    agreed = Share(sum(one == other for one, other in read), len(read), len(given) - len(read))
    one, other = count_share(one for one, _ in read), count_share(other for _, other in read)
    chance = one.value * other.value + (1 - one.value) * (1 - other.value)
    if not read or chance >= 1:
        return RaterAgreement(agreed, math.nan, None, one, other)
    kappa = float(cohen_kappa_score([one for one, _ in read], [other for _, other in read]))
    return RaterAgreement(agreed, kappa, _kappa_interval(agreed, chance), one, other)


def _kappa_interval(agreed: Share, chance: float) -> Interval:
    """Wilson's interval of the raw agreement carried over to kappa, agreement by chance taken as it was seen.

    Not the usual one from kappa's asymptotic variance: with 20 to 60 things rated, that one covers the truth in 19 to
    97 of 100 simulated cases, this one in 86 to 99 (`eval/RESULTS.md`).
    """
    raw = agreed.interval()
    return Interval(max(-1.0, (raw.low - chance) / (1 - chance)), (raw.high - chance) / (1 - chance))


def compare_raters(labels: Labels, judges: JudgeRatings) -> list[RaterPair]:
    """Compare all pairs by criterion and overall, people first. Only what both raters had before them is counted."""
    people = dict(labels)
    if len(people) > 1:
        people[TOGETHER] = _agreed_labels(labels.values())
    criteria = sorted({key.criterion for marks in labels.values() for key in marks})
    pairs = []
    for criterion in [*criteria, OVERALL]:
        for (one, ones), (other, others) in itertools.combinations(labels.items(), 2):
            both = _rated_by_both(criterion, ones, others)
            agreement = measure_agreement((ones[key], others[key]) for key in both)
            pairs.append(RaterPair(criterion, one, other, agreement, human=True))
        for (judge, ratings), (one, ones) in itertools.product(judges.items(), people.items()):
            both = _rated_by_both(criterion, ones, ratings)
            agreement = measure_agreement((ones[key], ratings[key].settled) for key in both)
            spread, flips = _spread_kappa(both, ones, ratings), count_flips(ratings[key] for key in both)
            pairs.append(RaterPair(criterion, one, judge, agreement, False, spread, flips))
    return [pair for pair in pairs if pair.agreement.agreed.of + pair.agreement.agreed.missing]


def _rated_by_both(
    criterion: str, ones: Mapping[RatedAnswer, object], others: Mapping[RatedAnswer, object]
) -> list[RatedAnswer]:
    return sorted(key for key in ones.keys() & others.keys() if criterion in (OVERALL, key.criterion))


def _spread_kappa(
    both: Sequence[RatedAnswer], ones: Mapping[RatedAnswer, bool], ratings: Mapping[RatedAnswer, Repeats]
) -> KappaSpread | None:
    repeats = sorted({number for key in both for number in ratings[key].verdicts})
    each = [measure_agreement((ones[key], ratings[key].verdicts.get(number)) for key in both) for number in repeats]
    kappas = [agreement.kappa for agreement in each if not math.isnan(agreement.kappa)]
    if not kappas:
        return None
    deviation = statistics.stdev(kappas) if len(kappas) > 1 else math.nan
    return KappaSpread(len(kappas), statistics.fmean(kappas), deviation)


def _agreed_labels(people: Iterable[Mapping[RatedAnswer, bool]]) -> dict[RatedAnswer, bool]:
    """What at least two people labelled, and all who did labelled alike."""
    marks: dict[RatedAnswer, list[bool]] = {}
    for key, value in itertools.chain.from_iterable(each.items() for each in people):
        marks.setdefault(key, []).append(value)
    return {key: values[0] for key, values in marks.items() if len(values) > 1 and len(set(values)) == 1}
