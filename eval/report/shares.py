"""What a judge said, as tables: the share of YES of each run by each criterion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.judge.judgement import LOCAL
from eval.report.runs import EvaluatedRun
from eval.report.verdicts import CriterionVerdicts, Scope, collect_verdicts, list_criteria
from eval.table import Cell, Table, to_cell

HEAD = (
    "courses", "criterion", "run", "YES", "of", "share", "standard error", "low", "high", "missing", "no answer",
    "unparsed", "undecided", "repeats", "mean of repeats", "deviation", "flipped", "yes of all asked",
)  # fmt: skip
PERCENT = ("share", "standard error", "low", "high", "mean of repeats", "deviation", "yes of all asked")
NOTE = (
    "Each cell: the share of YES, in brackets its 95 % interval (Wilson's; “low” and “high” in the file), the answers "
    "behind it, those that are missing, and where the judge was asked several times the mean of the repeats with their "
    "standard deviation. Each answer counts once, by the majority of its repeats; without a majority it is undecided. "
    "Missing (no answer, not judged, unparsed, undecided) is no NO and is in no share; “yes of all asked”, in the "
    "file, is the share if every missing one were a NO; “flipped” there: answers whose repeats contradict each other."
)


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """One judge's verdicts on one run by one criterion over one scope."""

    scope: Scope
    criterion: str
    run: EvaluatedRun
    verdicts: CriterionVerdicts


def collect_shares(runs: Sequence[EvaluatedRun], judge: str, scope: Scope) -> list[JudgedShare]:
    """Collect by criterion, then run; runs that the judge has nothing on by a criterion are left out."""
    shares = [
        JudgedShare(scope, criterion, run, collect_verdicts(run, judge, criterion, scope))
        for criterion in list_criteria(runs, judge)
        for run in runs
    ]
    return [each for each in shares if each.verdicts.judged]


def make_share_table(runs: Sequence[EvaluatedRun], judge: str, scopes: Sequence[Scope]) -> Table:
    """Make a row of each share of YES (the paper's Fig. 4 in numbers)."""
    rows = [_row(each) for scope in scopes for each in collect_shares(runs, judge, scope)]
    return Table(f"shares_{make_slug(judge)}", f"Share of YES: {describe_judge(judge)}", HEAD, rows, PERCENT, NOTE)


def lay_beside(table: Table) -> Table:
    """Lay the runs of a table of shares beside one another, as a page shows them: share, interval, counts."""
    named = [dict(zip(table.head, row, strict=True)) for row in table.format_rows()]
    runs = list(dict.fromkeys(row["run"] for row in named))
    found = {(row["courses"], row["criterion"], row["run"]): _page_cell(row) for row in named}
    keys = dict.fromkeys((row["courses"], row["criterion"]) for row in named)
    rows = [(*key, *(found.get((*key, run), "not judged") for run in runs)) for key in keys]
    return Table(table.id, table.title, ("courses", "criterion", *runs), rows, note=table.note)


def _page_cell(row: Mapping[str, str]) -> str:
    numbers = {name: row[name].removesuffix(" %") for name in ("low", "high", "mean of repeats")}
    span = f" ({numbers['low']}–{numbers['high']})" if row["of"] != "0" else ""
    lines = [f"{row['share']}{span}", f"{row['YES']} of {row['of']}"]
    if row["missing"] != "0":
        lines.append(f"{row['missing']} missing")
    if row["repeats"] not in {"0", "1"}:
        lines.append(f"{row['repeats']} repeats: {numbers['mean of repeats']} ± {row['deviation']}")
    return "\n".join(lines)


def _row(each: JudgedShare) -> tuple[Cell, ...]:
    verdicts, share = each.verdicts, each.verdicts.share
    interval, asked = share.interval(), share.of + share.missing
    without = sum(each.scope.holds(row) and row.record.answer is None for row in each.run.answers)
    return (
        each.scope.title, to_words(each.criterion), each.run.name, share.yes, share.of, to_cell(share.value),
        to_cell(share.error), interval.low, interval.high, share.missing, without, verdicts.unparsed,
        verdicts.undecided, verdicts.most, verdicts.mean, verdicts.deviation, verdicts.flips.yes,
        share.yes / asked if asked else None,
    )  # fmt: skip


def describe_judge(judge: str) -> str:
    """A judge in the words of a title; the checks without a model are never taken for a judge."""
    return "checks without a model, no judge" if judge == LOCAL else f"judge {judge}"


def make_slug(name: str) -> str:
    """A name as part of a file's name."""
    return "".join(letter if letter.isalnum() else "_" for letter in name).strip("_").lower() or "unnamed"


def to_words(criterion: str) -> str:
    """A criterion's id as words."""
    return criterion.replace("_", " ")
