"""Agreement of judges and people, as a table of a report."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from eval.agreement.compared import Pair, pairs
from eval.agreement.joining import by_person, read_all
from eval.agreement.settled import Judged, Repeats, by_judge
from eval.agreement.tabled import NOT_A_JUDGE, numbers
from eval.judge.judgement import LOCAL
from eval.report.judged import words
from eval.report.runs import Run
from eval.table import Cell, Table

HEAD = (
    "criterion", "one", "other", "both people", "rated by both", "missing", "same", "always the same", "kappa", "low",
    "high", "YES by one", "YES by other", "kappa over repeats", "deviation", "repeats", "flipped",
)  # fmt: skip
BRIEF = (
    "criterion", "one", "other", "rated by both", "same", "always the same", "kappa", "low", "high", "YES by one",
    "YES by other", "kappa over repeats", "deviation",
)  # fmt: skip
PERCENT = ("same", "always the same", "YES by one", "YES by other", "flipped")
NOTE = (
    "Kappa is Cohen's, with a 95 % interval. Always the same: how often somebody would agree with the first who always "
    "gives that rater's commonest answer; kappa means little where this is nearly as high as the agreement. A dash: "
    "undefined, as where both say only YES."
)


def table(runs: Sequence[Run], labels: Sequence[Path]) -> Table | None:
    """People beside people and beside judges, by criterion; None without labels. Raises UsageError, RecordError."""
    if not labels:
        return None
    judged = by_judge(each for run in runs for each in run.judgements)
    found = pairs(by_person(read_all(labels), _keys(judged)), judged)
    note = f"{NOTE} {NOT_A_JUDGE}" if any(pair.other == LOCAL for pair in found) else NOTE
    rows = [_row(pair) for pair in found]
    return Table("agreement", "Can the judge be trusted?", HEAD, rows, PERCENT, note, BRIEF)


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
