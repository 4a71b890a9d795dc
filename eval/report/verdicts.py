"""From judgements to one verdict for each answer: what most repeats say, and nothing where there is none."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from eval.agreement.ratings import Repeats, count_flips, group_by_judge
from eval.judge.judgement import LOCAL, Judgement
from eval.report.runs import EvaluatedRun
from eval.significance import Share, count_share
from eval.tool_use.answers import AnswerRow

FIRST = ("relevance", "actionability", "tool_relevance", "correctness", "language")
"""The paper's order; criteria of a campus come after these."""
NOTHING = Repeats({})


@dataclass(frozen=True, slots=True)
class Scope:
    """Which answers a share is over. id: for the names of files. title: for people. courses: None is all."""

    id: str
    title: str
    courses: frozenset[str] | None = None

    def holds(self, row: AnswerRow) -> bool:
        """Whether the answer belongs to it."""
        return self.courses is None or row.course in self.courses


ALL = Scope("all", "all courses")


@dataclass(frozen=True, slots=True)
class CriterionVerdicts:
    """One judge on one run by one criterion: answer → its repeats, for every answer wanted, judged or not."""

    by_answer: Mapping[str, Repeats]

    @property
    def settled(self) -> dict[str, bool | None]:
        """Answer → what most of its repeats say, None where there is no such thing."""
        return {id: repeats.settled for id, repeats in self.by_answer.items()}

    @property
    def share(self) -> Share:
        """The share of YES; what has no verdict is missing."""
        return count_share(self.settled.values())

    @property
    def judged(self) -> int:
        """Answers that the judge was asked about, whatever came of it."""
        return sum(bool(repeats.verdicts) for repeats in self.by_answer.values())

    @property
    def unparsed(self) -> int:
        """Judgements that could not be read."""
        return sum(value is None for repeats in self.by_answer.values() for value in repeats.verdicts.values())

    @property
    def most(self) -> int:
        """How many repeats there are of the answer that has most."""
        return max((len(repeats.verdicts) for repeats in self.by_answer.values()), default=0)

    @property
    def short(self) -> int:
        """Answers that were judged, but fewer times than others."""
        return sum(0 < len(repeats.verdicts) < self.most for repeats in self.by_answer.values())

    @property
    def undecided(self) -> int:
        """Answers with as many YES as NO."""
        return sum(bool(repeats.read) and repeats.settled is None for repeats in self.by_answer.values())

    @property
    def flips(self) -> Share:
        """Answers on which repeats disagree, of those with two or more."""
        return count_flips(self.by_answer.values())

    @property
    def repeats(self) -> tuple[float, ...]:
        """The share of YES of each repeat."""
        values: dict[int, list[bool]] = defaultdict(list)
        for repeats in self.by_answer.values():
            for number, value in repeats.verdicts.items():
                values[number] += [] if value is None else [value]
        return tuple(mean(found) for _, found in sorted(values.items()) if found)

    @property
    def mean(self) -> float | None:
        """Mean over repeats of the share of YES."""
        return mean(self.repeats) if self.repeats else None

    @property
    def deviation(self) -> float | None:
        """Standard deviation over repeats of the share of YES; None of fewer than two."""
        return stdev(self.repeats) if len(self.repeats) > 1 else None


@dataclass(frozen=True, slots=True)
class WorstAnswer:
    """An answer with a NO. failed: criteria with a NO from the judge. reasons: criterion → a judgement that says so."""

    row: AnswerRow
    failed: tuple[str, ...]
    reasons: Mapping[str, Judgement]


def make_scopes(runs: Collection[EvaluatedRun], unseen: Collection[str]) -> tuple[Scope, ...]:
    """All courses; with courses unseen in training, those apart too (the two halves of the paper's Fig. 4)."""
    there = {row.course for run in runs for row in run.answers}
    new, old = there & set(unseen), there - set(unseen)
    if not new or not old:
        return (ALL,)
    named = (("seen", "courses seen in training", old), ("unseen", "courses unseen in training", new))
    return (ALL, *(Scope(id, f"{title} ({', '.join(sorted(them))})", frozenset(them)) for id, title, them in named))


def collect_verdicts(run: EvaluatedRun, judge: str, criterion: str, scope: Scope = ALL) -> CriterionVerdicts:
    """Collect the verdicts on those answers of a run that are in scope."""
    ours = (each for each in run.judgements if each.judge == judge and each.criterion == criterion)
    found = {key.answer: repeats for key, repeats in group_by_judge(ours).get(judge, {}).items()}
    return CriterionVerdicts({row.id: found.get(row.id, NOTHING) for row in run.answers if scope.holds(row)})


def list_judges(runs: Iterable[EvaluatedRun]) -> tuple[str, ...]:
    """All judges of the runs; the checks without a model come last."""
    return tuple(sorted({judge for run in runs for judge in run.judges}, key=lambda judge: (judge == LOCAL, judge)))


def list_criteria(runs: Iterable[EvaluatedRun], judge: str) -> tuple[str, ...]:
    """The criteria that a judge went by."""
    found = {each.criterion for run in runs for each in run.judgements if each.judge == judge}
    return tuple(sorted(found, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)))


def find_worst(run: EvaluatedRun, judge: str, most: int) -> tuple[WorstAnswer, ...]:
    """Find the answers with most NO; those without any are left out. Even ones stay in the file's order."""
    settled = {name: collect_verdicts(run, judge, name).settled for name in list_criteria((run,), judge)}
    reasons: dict[str, dict[str, Judgement]] = defaultdict(dict)
    for each in sorted(run.judgements, key=lambda each: each.repeat):
        # The first repeat that says NO speaks for the others.
        if each.judge == judge and each.value is False and settled[each.criterion].get(each.answer) is False:
            reasons[each.answer].setdefault(each.criterion, each)
    failed = {row.id: tuple(name for name in settled if name in reasons[row.id]) for row in run.answers}
    rows = sorted((row for row in run.answers if failed[row.id]), key=lambda row: -len(failed[row.id]))
    return tuple(WorstAnswer(row, failed[row.id], reasons[row.id]) for row in rows[:most])


def find_unanswered(run: EvaluatedRun, most: int) -> Sequence[AnswerRow]:
    """Find questions without an answer, those that we or the world failed at first."""
    without = [row for row in run.answers if row.record.answer is None]
    return sorted(without, key=lambda row: not row.failed)[:most]
