"""What a judge said, as tables: the share of YES of each run by each criterion, and whether runs differ."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from eval.judge.judgement import LOCAL
from eval.report import verdicts
from eval.report.runs import Run
from eval.report.scope import Scope
from eval.report.verdicts import Verdicts
from eval.significance import adjust_holm, compare_pairs, compare_shares
from eval.table import Cell, Table

HEAD = (
    "courses", "criterion", "run", "YES", "of", "share", "standard error", "low", "high", "missing", "no answer",
    "unparsed", "undecided", "repeats", "mean of repeats", "deviation", "flipped", "yes of all asked",
)  # fmt: skip
PERCENT = (
    "share", "standard error", "low", "high", "mean of repeats", "deviation", "yes of all asked", "YES of first",
    "YES of second", "difference", "difference low", "difference high",
)  # fmt: skip
NOTE = (
    "Each cell: the share of YES, in brackets its 95 % interval (Wilson's; “low” and “high” in the file), the answers "
    "behind it, those that are missing, and where the judge was asked several times the mean of the repeats with their "
    "standard deviation. Each answer counts once, by the majority of its repeats; without a majority it is undecided. "
    "Missing (no answer, not judged, unparsed, undecided) is no NO and is in no share; “yes of all asked”, in the "
    "file, is the share if every missing one were a NO; “flipped” there: answers whose repeats contradict each other."
)
TESTED = (
    "courses", "criterion", "first run", "second run", "YES of first", "YES of second", "odds ratio", "OR low",
    "OR high", "Fisher p", "Fisher p (Holm)", "pairs", "YES only in first", "YES only in second", "difference",
    "difference low", "difference high", "McNemar p", "McNemar p (Holm)",
)  # fmt: skip
TESTED_BRIEF = (
    "courses", "criterion", "first run", "second run", "YES of first", "YES of second", "odds ratio",
    "Fisher p (Holm)", "pairs", "difference", "difference low", "difference high", "McNemar p (Holm)",
)  # fmt: skip
TESTED_NOTE = (
    "p: how often chance alone would set runs that do not differ at least this far apart; both tests are two-sided. "
    "Odds ratios above 1 favour the first run. Fisher's exact test (the paper's) takes the runs for different "
    "questions; McNemar's exact test pairs questions with a verdict in both runs, and is the right one where there are "
    "pairs. Difference: YES of the first less YES of the second over those pairs, in percentage points, with its 95 % "
    "interval. Holm: corrected for all comparisons of this table and these courses. A dash: nothing to compute it of."
)

Pair = tuple[Run, Run]


@dataclass(frozen=True, slots=True)
class Said:
    """One judge's verdicts on one run by one criterion over one scope."""

    scope: Scope
    criterion: str
    run: Run
    verdicts: Verdicts


def said(runs: Sequence[Run], judge: str, scope: Scope) -> tuple[Said, ...]:
    """By criterion, then run; runs that the judge has nothing on by a criterion are left out."""
    found = (
        Said(scope, criterion, run, verdicts.of(run, judge, criterion, scope))
        for criterion in verdicts.criteria(runs, judge)
        for run in runs
    )
    return tuple(each for each in found if each.verdicts.judged)


def shares(runs: Sequence[Run], judge: str, scopes: Sequence[Scope]) -> Table:
    """The shares of YES (the paper's Fig. 4 in numbers)."""
    rows = [_share(each) for scope in scopes for each in said(runs, judge, scope)]
    return Table(f"shares_{slug(judge)}", f"Share of YES: {called(judge)}", HEAD, rows, PERCENT, NOTE)


def beside(long: Table) -> Table:
    """The shares with runs beside one another, as a page shows them: share, interval, counts."""
    at = {name: place for place, name in enumerate(long.head)}
    runs = list(dict.fromkeys(str(row[at["run"]]) for row in long.rows))
    found = {(row[at["courses"]], row[at["criterion"]], row[at["run"]]): shown for row, shown in _both(long)}
    keys = dict.fromkeys((str(row[at["courses"]]), str(row[at["criterion"]])) for row in long.rows)
    rows = [(*key, *(_cell(found.get((*key, run)), at) for run in runs)) for key in keys]
    return Table(long.id, long.title, ("courses", "criterion", *runs), rows, note=long.note)


def _both(table: Table) -> Iterable[tuple[Sequence[Cell], Sequence[str]]]:
    return zip(table.rows, table.format_rows(), strict=True)


def _cell(row: Sequence[str] | None, at: Mapping[str, int]) -> str:
    if row is None:
        return "not judged"
    share, low, high, yes, of = (row[at[name]] for name in ("share", "low", "high", "YES", "of"))
    span = f" ({low.removesuffix(' %')}–{high.removesuffix(' %')})" if of != "0" else ""
    lines = [f"{share}{span}", f"{yes} of {of}"]
    lines += [f"{row[at['missing']]} missing"] if row[at["missing"]] != "0" else []
    several = row[at["repeats"]] not in {"0", "1"}
    mean, deviation = row[at["mean of repeats"]], row[at["deviation"]]
    lines += [f"{row[at['repeats']]} repeats: {mean.removesuffix(' %')} ± {deviation}"] if several else []
    return "\n".join(lines)


def tests(pairs: Sequence[Pair], judge: str, scopes: Sequence[Scope]) -> Table:
    """Whether two runs differ (the paper's Tables 4 and 5), each pair by each criterion."""
    rows = [row for scope in scopes for row in _corrected(_tests(pairs, judge, scope))]
    title = f"Do runs differ? {called(judge)}"
    return Table(f"tests_{slug(judge)}", title, TESTED, rows, PERCENT, TESTED_NOTE, TESTED_BRIEF)


def pairs(runs: Sequence[Run], wanted: Sequence[tuple[str, str]] = ()) -> tuple[Pair, ...]:
    """The pairs wanted; else all of up to three runs, and of more the first with each other."""
    by_name = {run.name: run for run in runs}
    if wanted:
        return tuple((by_name[one], by_name[other]) for one, other in wanted)
    return tuple(combinations(runs, 2)) if len(runs) <= 3 else tuple((runs[0], other) for other in runs[1:])


def called(judge: str) -> str:
    """A judge in the words of a title; the checks without a model are never taken for a judge."""
    return "checks without a model, no judge" if judge == LOCAL else f"judge {judge}"


def slug(name: str) -> str:
    """A name as part of a file's name."""
    return "".join(letter if letter.isalnum() else "_" for letter in name).strip("_").lower() or "unnamed"


def number(value: float | None) -> float | None:
    """The number, None where it is none; an odds ratio may well be infinite."""
    return None if value is None or math.isnan(value) else value


def _share(each: Said) -> tuple[Cell, ...]:
    seen, share = each.verdicts, each.verdicts.share
    interval, asked = share.interval(), share.of + share.missing
    without = sum(each.scope(row) and row.record.answer is None for row in each.run.answers)
    return (
        each.scope.title, words(each.criterion), each.run.name, share.yes, share.of, number(share.value),
        number(share.error), interval.low, interval.high, share.missing, without, seen.unparsed, seen.undecided,
        seen.most, seen.mean, seen.deviation, seen.flips.yes, share.yes / asked if asked else None,
    )  # fmt: skip


def words(criterion: str) -> str:
    """A criterion's id as words."""
    return criterion.replace("_", " ")


def _tests(pairs: Sequence[Pair], judge: str, scope: Scope) -> list[tuple[Cell, ...]]:
    rows = []
    for one, other in pairs:
        both = {(each.criterion, each.run.name): each.verdicts for each in said((one, other), judge, scope)}
        shared = [name for name in verdicts.criteria((one, other), judge) if _in_both(both, name, one, other)]
        for name in shared:
            first, second = both[name, one.name], both[name, other.name]
            rows.append((scope.title, words(name), one.name, other.name, *_test(one, other, first, second)))
    return rows


def _in_both(found: dict[tuple[str, str], Verdicts], criterion: str, one: Run, other: Run) -> bool:
    return (criterion, one.name) in found and (criterion, other.name) in found


def _test(one: Run, other: Run, first: Verdicts, second: Verdicts) -> tuple[Cell, ...]:
    """From the first share on; the places of corrected p-values still hold none."""
    apart = compare_shares(first.share, second.share)
    both = bool(first.share.of and second.share.of)
    same = questions(one) & questions(other)
    ours, theirs = first.settled, second.settled
    paired = compare_pairs((ours[id], theirs[id]) for id in _ids(same, first, second))
    low, high = paired.interval.low, paired.interval.high
    return (
        number(first.share.value), number(second.share.value), number(apart.odds_ratio),
        number(apart.interval.low) if both else None, number(apart.interval.high) if both else None,
        apart.p if both else None, None, paired.of, paired.only_one, paired.only_other,
        number(paired.difference), low if paired.of else None, high if paired.of else None,
        paired.p if paired.of else None, None,
    )  # fmt: skip


def questions(run: Run) -> frozenset[tuple[str, str, str, str]]:
    """What was asked: id, course, student, question. The same id alone may be another question."""
    return frozenset((row.id, row.course, row.record.task.student, row.record.task.question) for row in run.answers)


def _ids(same: frozenset[tuple[str, str, str, str]], first: Verdicts, second: Verdicts) -> list[str]:
    return sorted(id for id, *_ in same if id in first.by_answer and id in second.by_answer)


def _corrected(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The rows with Holm's p-values beside those of both tests."""
    for plain, corrected in (("Fisher p", "Fisher p (Holm)"), ("McNemar p", "McNemar p (Holm)")):
        at, to = TESTED.index(plain), TESTED.index(corrected)
        known = [number for number, row in enumerate(rows) if isinstance(row[at], float)]
        adjusted = adjust_holm([float(rows[number][at] or 0.0) for number in known])
        for number, p in zip(known, adjusted, strict=True):
            rows[number] = (*rows[number][:to], p, *rows[number][to + 1 :])
    return rows
