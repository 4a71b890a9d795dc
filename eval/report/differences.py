"""Whether runs differ: pairs of runs by each criterion, and families of runs that differ in one setting.

A family is an ablation, such as `toolace@32` and `toolace@256`.
"""

import math
from collections.abc import Sequence
from itertools import combinations

from eval.report.runs import EvaluatedRun
from eval.report.shares import collect_shares, describe_judge, make_slug, to_words
from eval.report.verdicts import CriterionVerdicts, Scope, list_criteria
from eval.significance import adjust_holm, compare_pairs, compare_shares
from eval.table import Cell, Table, to_cell

HEAD = (
    "courses", "criterion", "first run", "second run", "YES of first", "YES of second", "odds ratio", "OR low",
    "OR high", "Fisher p", "Fisher p (Holm)", "pairs", "YES only in first", "YES only in second", "difference",
    "difference low", "difference high", "McNemar p", "McNemar p (Holm)",
)  # fmt: skip
BRIEF = (
    "courses", "criterion", "first run", "second run", "YES of first", "YES of second", "odds ratio",
    "Fisher p (Holm)", "pairs", "difference", "difference low", "difference high", "McNemar p (Holm)",
)  # fmt: skip
PERCENT = ("YES of first", "YES of second", "difference", "difference low", "difference high")
NOTE = (
    "p: how often chance alone would set runs that do not differ at least this far apart; both tests are two-sided. "
    "Odds ratios above 1 favour the first run. Fisher's exact test (the paper's) takes the runs for different "
    "questions; McNemar's exact test pairs questions with a verdict in both runs, and is the right one where there are "
    "pairs. Difference: YES of the first less YES of the second over those pairs, in percentage points, with its 95 % "
    "interval. Holm: corrected for all comparisons of this table and these courses. A dash: nothing to compute it of."
)
RunPair = tuple[EvaluatedRun, EvaluatedRun]
Row = dict[str, Cell]


def group_families(runs: Sequence[EvaluatedRun]) -> dict[str, tuple[EvaluatedRun, ...]]:
    """Group runs of two or more settings by family: by number where all settings are numbers, else as given."""
    names = dict.fromkeys(run.family for run in runs if run.setting)
    families = {name: [run for run in runs if run.family == name and run.setting] for name in names}
    for members in families.values():
        scores = {run.name: _to_score(run) for run in members}
        if None not in scores.values():
            members.sort(key=lambda run: scores[run.name] or 0.0)
    return {name: tuple(members) for name, members in families.items() if len(members) > 1}


def leave_out_families(runs: Sequence[EvaluatedRun]) -> Sequence[EvaluatedRun]:
    """The runs that belong to no ablation, such as the base model `toolace` beside `toolace@32`; all if each does."""
    members = {run.name for each in group_families(runs).values() for run in each}
    return [run for run in runs if run.name not in members] or runs


def sort_runs(runs: Sequence[EvaluatedRun]) -> tuple[EvaluatedRun, ...]:
    """Sort the runs as tables show them: those of no ablation as given, then each family by its settings."""
    members = [run for each in group_families(runs).values() for run in each]
    return (*(run for run in runs if run not in members), *members)


def choose_pairs(runs: Sequence[EvaluatedRun], wanted: Sequence[tuple[str, str]] = ()) -> list[RunPair]:
    """Choose the pairs wanted; else those of runs of no ablation, and those of each ablation among themselves.

    Up to three runs are all compared, and of more the first with each other.
    """
    if wanted:
        by_name = {run.name: run for run in runs}
        return [(by_name[one], by_name[other]) for one, other in wanted]
    members = tuple(group_families(runs).values())
    alone = leave_out_families(runs)
    groups = (alone, *members) if len(alone) < len(runs) else members or (runs,)
    return [
        pair
        for group in groups
        for pair in (combinations(group, 2) if len(group) <= 3 else ((group[0], other) for other in group[1:]))
    ]


def make_test_table(pairs: Sequence[RunPair], judge: str, scopes: Sequence[Scope]) -> Table:
    """Test whether two runs differ (the paper's Tables 4 and 5), each pair by each criterion."""
    rows: list[Row] = []
    for scope in scopes:
        found = [row for pair in pairs for row in _test_pair(pair, judge, scope)]
        rows += _adjust(found, "Fisher p", "McNemar p")
    cells = [tuple(row[name] for name in HEAD) for row in rows]
    title = f"Do runs differ? {describe_judge(judge)}"
    return Table(f"tests_{make_slug(judge)}", title, HEAD, cells, PERCENT, NOTE, BRIEF)


def _test_pair(pair: RunPair, judge: str, scope: Scope) -> list[Row]:
    one, other = pair
    found = {(each.criterion, each.run.name): each.verdicts for each in collect_shares(pair, judge, scope)}
    shared = [
        criterion
        for criterion in list_criteria(pair, judge)
        if (criterion, one.name) in found and (criterion, other.name) in found
    ]
    rows: list[Row] = []
    for criterion in shared:
        named = {
            "courses": scope.title,
            "criterion": to_words(criterion),
            "first run": one.name,
            "second run": other.name,
        }
        rows.append({**named, **_test(one, other, found[criterion, one.name], found[criterion, other.name])})
    return rows


def _test(one: EvaluatedRun, other: EvaluatedRun, first: CriterionVerdicts, second: CriterionVerdicts) -> Row:
    unpaired = compare_shares(first.share, second.share)
    has_both = bool(first.share.of and second.share.of)
    asked_both = {id for id, *_ in one.questions & other.questions}
    ids = sorted(asked_both & first.by_answer.keys() & second.by_answer.keys())
    ours, theirs = first.settled, second.settled
    paired = compare_pairs((ours[id], theirs[id]) for id in ids)
    return {
        "YES of first": to_cell(first.share.value),
        "YES of second": to_cell(second.share.value),
        "odds ratio": to_cell(unpaired.odds_ratio),
        "OR low": to_cell(unpaired.interval.low) if has_both else None,
        "OR high": to_cell(unpaired.interval.high) if has_both else None,
        "Fisher p": unpaired.p if has_both else None,
        "pairs": paired.of,
        "YES only in first": paired.only_one,
        "YES only in second": paired.only_other,
        "difference": to_cell(paired.difference),
        "difference low": paired.interval.low if paired.of else None,
        "difference high": paired.interval.high if paired.of else None,
        "McNemar p": paired.p if paired.of else None,
    }


def _adjust(rows: list[Row], *names: str) -> list[Row]:
    """The rows with Holm's p-values beside those of the tests named."""
    for name in names:
        known = [row for row in rows if row[name] is not None]
        adjusted = adjust_holm([float(row[name] or 0.0) for row in known])
        for row in rows:
            row[f"{name} (Holm)"] = None
        for row, p in zip(known, adjusted, strict=True):
            row[f"{name} (Holm)"] = p
    return rows


def _to_score(run: EvaluatedRun) -> float | None:
    try:
        score = float(run.setting)
    except ValueError:
        return None
    return score if math.isfinite(score) else None
