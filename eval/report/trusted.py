"""Agreement of judges and people, as a table of a report."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from eval.agreement.compared import Pair, pairs
from eval.agreement.joining import by_person, of_other_texts, read_all
from eval.agreement.settled import Judged, Repeats, by_judge
from eval.agreement.tabled import NOT_A_JUDGE, numbers
from eval.judge.judgement import LOCAL, Judgement
from eval.report import verdicts
from eval.report.judged import words
from eval.report.runs import Run
from eval.table import Cell, Table

HEAD = (
    "criterion", "one", "other", "both people", "rated by both", "missing", "agree", "agree with constant", "kappa",
    "low", "high", "YES by one", "YES by other", "kappa over repeats", "deviation", "repeats", "flipped",
)  # fmt: skip
BRIEF = (
    "criterion", "one", "other", "rated by both", "missing", "agree", "agree with constant", "kappa", "low", "high",
    "YES by one", "YES by other", "kappa over repeats", "deviation",
)  # fmt: skip
PERCENT = ("agree", "agree with constant", "YES by one", "YES by other", "flipped")
NOTE = (
    "Rated by both: verdicts that both raters gave; missing: labelled, but the judge's verdict could not be read or "
    "has no majority. Agree: how often they say the same. Agree with constant: how often somebody would agree with the "
    "first who always gives that rater's commonest answer; kappa means little where this is nearly as high. Kappa is "
    "Cohen's (1: always agree, 0: as often as by chance); low and high, its 95 % interval: Wilson's of the agreement, "
    "carried over. Kappa over repeats: mean and standard deviation of the kappas of a judge's single repeats, while "
    "the other columns take what most of them say. A dash: undefined, as where both say only YES."
)


def table(runs: Sequence[Run], labels: Sequence[Path]) -> Table | None:
    """People beside people and beside judges, by criterion; None without labels. Raises UsageError, RecordError."""
    if not labels:
        return None
    unsorted = by_judge(_distinct(runs))
    judged = {judge: unsorted[judge] for judge in verdicts.judges(runs)}
    found = pairs(by_person(read_all(labels), _keys(judged)), judged)
    note = f"{NOTE} {NOT_A_JUDGE}" if any(pair.other == LOCAL for pair in found) else NOTE
    rows = [_row(pair) for pair in found]
    return Table("agreement", "Can the judge be trusted?", HEAD, rows, PERCENT, note, BRIEF)


def unmatched(runs: Sequence[Run], labels: Sequence[Path]) -> tuple[int, int]:
    """How many labels are of no answer and criterion that a judge of these runs saw, and how many of an earlier text
    of one that was seen."""
    keys = _keys(by_judge(_distinct(runs)))
    people = by_person(read_all(labels), keys) if labels else {}
    changed = sum(of_other_texts(marks, [keys]) for marks in people.values())
    return sum(key not in keys for marks in people.values() for key in marks) - changed, changed


def _distinct(runs: Sequence[Run]) -> Iterator[Judgement]:
    """The judgements of all runs; where two runs are called alike, as `scribe agree label` tells such files apart."""
    times = Counter(name for run in runs for name in {each.run for each in run.judgements})
    for run in runs:
        for each in run.judgements:
            yield each if times[each.run] == 1 else replace(each, run=str(run.path.with_suffix("")))


def _rater(name: str) -> str:
    return f"{name} (no model)" if name == LOCAL else name


def _keys(judged: Mapping[str, Mapping[Judged, Repeats]]) -> set[Judged]:
    return {key for each in judged.values() for key in each}


def _row(pair: Pair) -> tuple[Cell, ...]:
    said = numbers(pair)
    interval, repeats = said["interval"] or {}, said["repeats"] or {}
    return (
        words(said["criterion"]), said["one"], _rater(said["other"]), "yes" if said["human"] else "no", said["n"],
        said["missing"], said["agreement"], said["constant"], said["kappa"], interval.get("low"), interval.get("high"),
        said["yes_one"], said["yes_other"], repeats.get("mean"), repeats.get("deviation"), repeats.get("count"),
        said["flips"],
    )  # fmt: skip
