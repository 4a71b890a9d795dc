"""The variants' answers as shares of what went well, each with its interval and its difference from the base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.significance import adjust_holm, compare_pairs, count_share, measure_trend
from eval.table import Cell, Table
from eval.tool_use.answers import AnswerRow, Expectation, read_answers
from eval.tool_use.checks import gives_arguments

HEAD = (
    "measure", "run", "yes", "of", "share", "low", "high", "missing", "pairs", "only this", "only base", "difference",
    "difference low", "difference high", "McNemar p", "McNemar p (Holm)",
)  # fmt: skip
PERCENT = ("share", "low", "high", "difference", "difference low", "difference high")
NOTE = (
    "Low and high: Wilson's 95 % interval. Difference: from base, on the questions that count in both; Holm over all "
    "runs of one measure. Fitting first tool: one that the questions' file accepts, or none where it says none. "
    "Arguments right: what it requires of a call to that tool. Missing: failed by us or the world, or not said there."
)
ENDED, CLEAN = "answered", "answered without a fault"
TOOL, ARGUMENTS = "fitting first tool", "arguments right"
MEASURES = (ENDED, TOOL, ARGUMENTS, CLEAN)

Verdicts = Mapping[str, bool | None]
"""By the question's id; None where a measure does not apply."""


@dataclass(frozen=True, slots=True)
class VariantVerdicts:
    """A run's name, and by measure its verdicts."""

    name: str
    verdicts: Mapping[str, Verdicts]


def judge_answers(name: str, path: Path, asked: Mapping[str, Expectation]) -> VariantVerdicts:
    """A file of answers, held against what their questions' file accepts. Raises RecordError if it cannot be read."""
    found = {row.id: _judge(row) for row in read_answers(path, asked)}
    return VariantVerdicts(name, {each: {id: said.get(each) for id, said in found.items()} for each in MEASURES})


def _judge(row: AnswerRow) -> dict[str, bool | None]:
    if row.failed:
        return {}
    done = row.record.trajectory
    calls = [call for act in done.acts for call in act.calls]
    required = [(call, row.arguments[call.name]) for call in calls if call.name in row.arguments]
    first = calls[0].name if calls else ""
    return {
        ENDED: row.status == "ok",
        CLEAN: row.status == "ok" and not done.faults,
        TOOL: None if row.tools is None else first in row.tools,
        ARGUMENTS: any(gives_arguments(each, call.arguments) for call, each in required) if row.arguments else None,
    }


def tabulate(runs: Sequence[VariantVerdicts]) -> Table:
    """Every measure that any run has a verdict of; the first run is the base."""
    rows: list[tuple[Cell, ...]] = []
    for measure in MEASURES:
        if any(verdict is not None for run in runs for verdict in run.verdicts[measure].values()):
            rows += _correct([_make_row(measure, run, runs[0]) for run in runs])
    return Table("ablation", "Base, and what was trained of it", HEAD, rows, PERCENT, NOTE)


def tabulate_trends(runs: Sequence[VariantVerdicts]) -> Table:
    """Whether a measure rises or falls with the rank, for each kind of which there are three ranks or more."""
    kinds: dict[str, list[tuple[int, VariantVerdicts]]] = {}
    for run in runs:
        kind, _, rank = run.name.partition("@")
        if rank:
            kinds.setdefault(kind, []).append((int(rank), run))
    rows = [
        _make_trend_row(kind, measure, members)
        for kind, members in kinds.items()
        if len(members) > 2
        for measure in MEASURES
    ]
    note = "z above 0: rises with the rank; by permuting each question's verdicts over the ranks."
    found = [row for row in rows if row]
    return Table(
        "ranks", "Does the rank matter?", ("kind", "measure", "ranks", "questions", "z", "p"), found, note=note
    )


def _make_row(measure: str, run: VariantVerdicts, base: VariantVerdicts) -> tuple[Cell, ...]:
    ours, theirs = run.verdicts[measure], base.verdicts[measure]
    found = count_share(ours.values())
    interval = found.interval()
    told = (measure, run.name, found.yes, found.of, found.value if found.of else None, interval.low, interval.high)
    if run is base:
        return (*told, found.missing, *([None] * 8))
    paired = compare_pairs((ours[id], theirs[id]) for id in ours if id in theirs)
    difference = (paired.difference, paired.interval.low, paired.interval.high, paired.p) if paired.of else [None] * 4
    return (*told, found.missing, paired.of, paired.only_one, paired.only_other, *difference, None)


def _correct(rows: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The rows with Holm's p in the last place, over those that have one."""
    tested = [row for row in rows if isinstance(row[-2], float)]
    corrected = dict(zip(map(id, tested), adjust_holm([float(row[-2] or 0) for row in tested]), strict=True))
    return [(*row[:-1], corrected.get(id(row))) for row in rows]


def _make_trend_row(kind: str, measure: str, members: Sequence[tuple[int, VariantVerdicts]]) -> tuple[Cell, ...] | None:
    columns = [run.verdicts[measure] for _, run in members]
    same = [[each.get(id) for each in columns] for id in columns[0]]
    whole = [row for row in same if None not in row]
    if not whole:
        return None
    found = measure_trend(whole, [rank for rank, _ in members])
    z = found.z if found.z == found.z else None  # NaN where all verdicts are alike
    return (kind, measure, ", ".join(str(rank) for rank, _ in members), len(whole), z, found.p)
