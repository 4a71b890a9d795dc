"""What people said of pairs: shares of won, lost and equal, how far people agree, and whether the side mattered."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from eval.agreement.marking import read_marks
from eval.significance import Share
from eval.table import Table
from eval.tutoring.metrics.bootstrap import Estimate, Values, estimate
from eval.tutoring.pairs.pair import LABELS, Choice, DialoguePair, PairKey, PairLabel, read_keys, read_pairs
from scribe.plumbing.errors import UsageError

CHOICES: tuple[Choice, ...] = get_args(Choice)
OVERALL = "mean"


@dataclass(frozen=True, slots=True)
class PairShares:
    """One tutor beside another by one criterion: shares of labels in percent, with intervals by tasks."""

    tutor: str
    other: str
    criterion: str
    labels: int
    won: Estimate
    lost: Estimate
    equal: Estimate
    lead: Estimate
    """Won less lost, in points."""


@dataclass(frozen=True, slots=True)
class FleissAgreement:
    """How far people agree beyond chance by one criterion; pairs: those that two or more people labelled."""

    criterion: str
    pairs: int
    people: int
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class PairCount:
    """All that is counted. stale: labels of pairs that are not there, or have another text, which count for nothing.

    left: how often, where a side was called better, it was the left one.
    """

    shares: tuple[PairShares, ...]
    agreement: tuple[FleissAgreement, ...]
    people: Mapping[str, int]
    stale: int
    left: Share


def count_pairs(folder: Path, criteria: Sequence[str], first: str = "") -> PairCount:
    """Count the labels in a folder of pairs. first: the tutor whose wins are counted where it takes part.

    Raises UsageError where there are no pairs or labels, RecordError for a bad line.
    """
    pairs, keys = {pair.name: pair for pair in read_pairs(folder)}, read_keys(folder)
    given = [mark for path in sorted((folder / LABELS).glob("*.jsonl")) for mark in read_marks(path, PairLabel)]
    if not given:
        raise UsageError(f"{folder} has no labels yet; open the page: scribe pairs label {folder} --person NAME …")
    last = {(each.person, each.answer, each.of, each.criterion): each for each in given}
    labels = [
        PairLabel(each.person, each.answer, each.criterion, each.value, each.of)
        for each in last.values()
        if each.answer in pairs and pairs[each.answer].of == each.of and each.answer in keys
    ]
    people = Counter(each.person for each in labels)
    used = [name for name in criteria if any(each.criterion == name for each in labels)]
    shares = tuple(
        _share(one, other, criterion, [each for each in labels if each.criterion == criterion], keys)
        for one, other in _list_comparisons(keys.values(), first)
        for criterion in used
    )
    agreement = [measure_fleiss(criterion, labels, keys) for criterion in used]
    return PairCount(
        tuple(each for each in shares if each.labels),
        (*agreement, *([_average(agreement)] if len(agreement) > 1 else [])),
        people,
        len(last) - len(labels),
        _count_left(labels, pairs),
    )


def measure_fleiss(criterion: str, labels: Iterable[PairLabel], keys: Mapping[str, PairKey]) -> FleissAgreement:
    """Fleiss' κ (Psychological Bulletin 76, 1971) of won, lost and equal, with its interval by tasks.

    For pair i with n_i labels of which n_ij say j: P_i = Σ n_ij (n_ij − 1) / n_i (n_i − 1), P̄ its mean over pairs, p_j
    the share of all labels that say j, P_e = Σ p_j², κ = (P̄ − P_e) / (1 − P_e). Pairs may have different numbers of
    labels, two at least. There is none where all say the same.
    """
    found: dict[str, Counter[Choice]] = defaultdict(Counter)
    people = set[str]()
    for each in labels:
        if each.criterion == criterion:
            found[each.answer][each.value] += 1
    rated = {name: counts for name, counts in found.items() if counts.total() > 1}
    people = {each.person for each in labels if each.criterion == criterion and each.answer in rated}
    if not rated:
        return FleissAgreement(criterion, 0, 0, Estimate(None, None))
    return FleissAgreement(criterion, len(rated), len(people), estimate(_fleiss, _sum_by_task(rated, keys)))


def tabulate_shares(count: PairCount) -> Table:
    """The paper's Table 3 with intervals."""
    rows = [
        (each.tutor, each.other, each.criterion, each.labels,
         *(_format(part) for part in (each.won, each.lost, each.equal, each.lead)), _tell(each.lead))
        for each in count.shares
    ]  # fmt: skip
    head = ("tutor", "beside", "criterion", "labels", "won %", "lost %", "equal %", "lead", "told")
    left = f"{100 * count.left.value:.0f} % of {count.left.of}" if count.left.of else "none"
    note = (
        "Labels of all people together. In brackets: 95 % by drawing tasks anew, all labels of a task together. lead: "
        f"won less lost, in points. Where one side was called better, it was the left one in {left}."
    )
    return Table("pairs", "Which dialogue people call better", head, rows, note=note)


def tabulate_agreement(count: PairCount) -> Table:
    """Fleiss' κ by criterion, and their mean."""
    rows = [(each.criterion, each.pairs, each.people, _format(each.kappa, 2)) for each in count.agreement]
    note = (
        "Fleiss' κ of won, lost and equal over pairs that two or more people labelled; 0 is chance, 1 always the same. "
        "The paper reports 0.45 as the mean of its three criteria. A dash: undefined, as where all say the same."
    )
    return Table("fleiss", "How far people agree", ("criterion", "pairs", "people", "κ"), rows, note=note)


def to_numbers(count: PairCount) -> dict[str, Any]:
    """All that is counted, as JSON holds it."""
    return {
        "shares": [asdict(each) for each in count.shares],
        "agreement": [asdict(each) for each in count.agreement],
        "people": dict(count.people),
        "stale": count.stale,
        "left": {"yes": count.left.yes, "of": count.left.of},
    }


def _share(
    one: str, other: str, criterion: str, labels: Sequence[PairLabel], keys: Mapping[str, PairKey]
) -> PairShares:
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for each in labels:
        key = keys[each.answer]
        if {key.one, key.other} == {one, other}:
            said = {"one": key.one, "other": key.other}.get(each.value)
            rows[key.task][2 if said is None else 0 if said == one else 1] += 1
    sums = np.array([rows[task] for task in sorted(rows)], dtype=np.float64).reshape(-1, 3)
    total = int(sums.sum())
    if not total:
        nothing = Estimate(None, None)
        return PairShares(one, other, criterion, 0, nothing, nothing, nothing, nothing)

    def share(pick: Callable[[Values], Values]) -> Estimate:
        return estimate(lambda means: 100 * pick(means) / means.sum(axis=-1), sums)

    won, lost, equal = (share(lambda means, at=at: means[..., at]) for at in range(3))  # type: ignore[misc]
    lead = share(lambda means: means[..., 0] - means[..., 1])
    return PairShares(one, other, criterion, total, won, lost, equal, lead)


def _sum_by_task(rated: Mapping[str, Counter[Choice]], keys: Mapping[str, PairKey]) -> Values:
    """(tasks, 2 + choices): pairs, the sum of their P_i, and the labels that say each."""
    sums: dict[str, Values] = defaultdict(lambda: np.zeros(2 + len(CHOICES)))
    for name, counts in rated.items():
        total = counts.total()
        same = sum(count * (count - 1) for count in counts.values()) / (total * (total - 1))
        sums[keys[name].task] += [1, same, *(counts[choice] for choice in CHOICES)]
    return np.stack([sums[task] for task in sorted(sums)])


def _fleiss(means: Values) -> Values:
    shares = means[..., 2:] / means[..., 2:].sum(axis=-1, keepdims=True)
    chance = (shares**2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa: Values = (means[..., 1] / means[..., 0] - chance) / (1 - chance)
    return kappa


def _average(agreement: Sequence[FleissAgreement]) -> FleissAgreement:
    """The mean over criteria, as the paper tells it; None if one of them has none."""
    values = [each.kappa.value for each in agreement]
    known = [value for value in values if value is not None]
    mean = float(np.mean(known)) if len(known) == len(values) else None
    pairs, people = max(each.pairs for each in agreement), max(each.people for each in agreement)
    return FleissAgreement(OVERALL, pairs, people, Estimate(mean, None))


def _list_comparisons(keys: Iterable[PairKey], first: str) -> list[tuple[str, str]]:
    """Each two tutors once, `first` before others, else by name."""
    both = {tuple(sorted((key.one, key.other), key=lambda name: (name != first, name))) for key in keys}
    return sorted((one, other) for one, other in both)


def _count_left(labels: Iterable[PairLabel], pairs: Mapping[str, DialoguePair]) -> Share:
    decided = [each for each in labels if each.value != "tie"]
    left = sum((each.value == "one") != pairs[each.answer].is_swapped(each.person) for each in decided)
    return Share(left, len(decided))


def _format(found: Estimate, digits: int = 1) -> str:
    if found.value is None:
        return "–"
    told = f"{found.value:.{digits}f}"
    return (
        told
        if found.interval is None
        else f"{told} [{found.interval.low:.{digits}f}, {found.interval.high:.{digits}f}]"
    )


def _tell(lead: Estimate) -> str:
    if lead.interval is None:
        return "no interval"
    return {1: "better", -1: "worse", 0: "none shown: the interval contains 0"}[lead.direction]
