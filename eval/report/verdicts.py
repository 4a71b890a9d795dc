"""From judgements to one verdict for each answer: what most repeats say, and nothing where there is none."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, stdev

from eval.agreement.settled import Repeats, by_judge, flip_rate
from eval.judge.judgement import LOCAL
from eval.report.runs import Run
from eval.significance import Share, count_share
from eval.tool_use.answered import Answered

FIRST = ("relevance", "actionability", "tool_relevance", "correctness", "language")
"""The paper's order; criteria of a campus come after these."""
NOTHING = Repeats({})

Keep = Callable[[Answered], bool]


@dataclass(frozen=True, slots=True)
class Verdicts:
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
        return flip_rate(self.by_answer.values())

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


def of(run: Run, judge: str, criterion: str, keep: Keep = lambda row: True) -> Verdicts:
    """The verdicts on those answers of a run that are to be kept."""
    ours = (each for each in run.judgements if each.judge == judge and each.criterion == criterion)
    found = {key.answer: repeats for key, repeats in by_judge(ours).get(judge, {}).items()}
    return Verdicts({row.id: found.get(row.id, NOTHING) for row in run.answers if keep(row)})


def judges(runs: Iterable[Run]) -> tuple[str, ...]:
    """All judges of the runs; the checks without a model come last."""
    return tuple(sorted({judge for run in runs for judge in run.judges}, key=lambda judge: (judge == LOCAL, judge)))


def criteria(runs: Iterable[Run], judge: str) -> tuple[str, ...]:
    """The criteria that a judge went by."""
    found = {each.criterion for run in runs for each in run.judgements if each.judge == judge}
    return tuple(sorted(found, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)))
