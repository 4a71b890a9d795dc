"""The shares that tell how good a run is, each with its interval: over all, by language, by course, by category."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from eval import significance
from eval.table import Cell, Table
from eval.tool_use.answered import NO_CATEGORY, Answered
from eval.tool_use.usage import Check, Share, ToolUse, count

HEAD = ("run", "by", "group", "measure", "yes", "of", "share", "low", "high")
PERCENT = ("share", "low", "high")
NOTE = (
    "Low and high: Wilson's 95 % interval, computed as if each row of the answers were a question of its own. Where "
    "one question was asked as several students its answers resemble one another, and the interval is too narrow. The "
    "measures are those of “Without a judge”; of a group, those are left out that no question of it counts for."
)
BESIDE = "By course and by category: in the CSV."
MEASURES: Mapping[str, Callable[[ToolUse], Share]] = {
    "answered": lambda use: Share(use.answered, use.questions),
    "any tool acceptable": lambda use: use.any_tool,
    "first tool acceptable": lambda use: use.first_tool,
    "arguments right": lambda use: use.arguments,
    "grounded": lambda use: use.grounded,
}
EACH: Mapping[str, Callable[[Answered], str]] = {
    "language": lambda row: row.language,
    "course": lambda row: row.course,
    "category": lambda row: "" if row.category == NO_CATEGORY else row.category,
}
"""What answers are grouped by; those of which it is not said are in no group of it."""
ALL = "all"
SHOWN = (ALL, "language")
"""The groups that a page has room for."""


def table(runs: Mapping[str, Sequence[Answered]], check: Check) -> Table:
    """Every measure of every group of each run, with Wilson's interval."""
    rows = [
        (name, *group, *row)
        for name, answers in runs.items()
        for group, members in _groups(answers)
        for row in _measured(count(members, check))
    ]
    return Table("targets", "Shares with intervals", HEAD, rows, PERCENT, NOTE)


def shortened(whole: Table) -> Table:
    """The table as a page shows it; the file beside it has all groups."""
    rows = [row for row in whole.rows if row[HEAD.index("by")] in SHOWN]
    return replace(whole, rows=rows, note=f"{whole.note} {BESIDE}")


def _groups(answers: Sequence[Answered]) -> Iterator[tuple[tuple[str, str], list[Answered]]]:
    """By what and which, and the answers that belong there."""
    yield (ALL, ALL), list(answers)
    for by, key in EACH.items():
        for group in sorted({key(row) for row in answers} - {""}):
            yield (by, group), [row for row in answers if key(row) == group]


def _measured(use: ToolUse) -> Iterator[tuple[Cell, ...]]:
    for measure, of in MEASURES.items():
        found = significance.Share(of(use).count, of(use).total)
        if found.of:
            interval = found.interval()
            yield measure, found.yes, found.of, found.value, interval.low, interval.high
