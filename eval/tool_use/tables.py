"""The counts as tables: each run's tools (the paper's Table 8), and each run as a whole and in groups."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean

import numpy as np

from eval.significance import Share, count_share
from eval.table import Cell, Table, to_cell
from eval.tool_use.answers import NO_CATEGORY, AnswerRow
from eval.tool_use.checks import (
    FAULT_KINDS,
    OTHER,
    check_first_arguments,
    count_faults,
    is_any_tool_acceptable,
    is_first_tool_acceptable,
)

BRIEF = (
    "run", "course", "category", "language", "questions", "errors", "answered", "calls a question", "valid calls",
    "with a fault", "first tool acceptable", "any tool acceptable", "of", "arguments right", "compared", "grounded",
    "checked", "seconds, median", "tokens read, median",
)  # fmt: skip


SHARES: Mapping[str, Callable[[Sequence[AnswerRow]], Share]] = {
    "answered": lambda rows: count_share(row.status == "ok" for row in rows),
    "no call": lambda rows: count_share(not row.calls for row in rows),
    "valid calls": lambda rows: count_share(seen.ok for row in rows for _, seen in row.calls),
    "repaired calls": lambda rows: count_share(bool(seen.coerced) for row in rows for _, seen in row.calls),
    "with a fault": lambda rows: count_share(bool(row.record.trajectory.faults) for row in rows),
    "first tool acceptable": lambda rows: count_share(map(is_first_tool_acceptable, rows)),
    "any tool acceptable": lambda rows: count_share(map(is_any_tool_acceptable, rows)),
    "arguments right": lambda rows: count_share(right for row in rows for right in check_first_arguments(row)),
    "grounded": lambda rows: count_share(None if row.unsupported is None else not row.unsupported for row in rows),
    "from cache": lambda rows: Share(_sum_usage(rows, "cached_tokens"), _sum_usage(rows, "prompt_tokens")),
}
"""By name, what is so in how many of the questions, calls or tokens that can tell; `missing` are those that cannot."""


def _share_cell(name: str, rows: Sequence[AnswerRow]) -> Cell:
    return to_cell(SHARES[name](rows).value)


COLUMNS: Mapping[str, Callable[[Sequence[AnswerRow]], Cell]] = {
    "questions": len,
    "calls a question": lambda rows: fmean(len(row.calls) for row in rows) if rows else None,
    **{name: partial(_share_cell, name) for name in SHARES},
    "of": lambda rows: SHARES["first tool acceptable"](rows).of,
    "compared": lambda rows: SHARES["arguments right"](rows).of,
    "checked": lambda rows: SHARES["grounded"](rows).of,
    "seconds, median": lambda rows: compute_percentile(rows, "seconds", 50),
    "seconds, p95": lambda rows: compute_percentile(rows, "seconds", 95),
    "waiting, median": lambda rows: compute_percentile(rows, "queue_seconds", 50),
    "tokens read, median": lambda rows: compute_percentile(rows, "prompt_tokens", 50),
    "tokens written, median": lambda rows: compute_percentile(rows, "completion_tokens", 50),
}
HEAD = (
    "questions", "answered", "errors", "calls a question", "no call", "valid calls", "repaired calls", "with a fault",
    "first tool acceptable", "any tool acceptable", "of", "arguments right", "compared", "grounded", "checked",
    "seconds, median", "seconds, p95", "waiting, median", "tokens read, median", "from cache",
    "tokens written, median",
)  # fmt: skip
PERCENT = (*SHARES, "share of calls")
AS_ABOVE = "The columns are those of “Without a judge”."
NOTE = (
    "Errors are ours or the world's; such questions are in no other column, not in “questions” either. Answered: with "
    "an answer that holds. Valid calls: those that the tool took; with a fault: questions in which the model was told "
    "to do a turn again. First tool acceptable: of the questions that --questions names acceptable first tools for "
    "(“of”: how many); any tool acceptable: of the same, those that called one of them at any time, or nothing where "
    "that is acceptable. Arguments right: of the first calls to a tool for which the question requires arguments "
    "(“compared”: how many), those that gave the numbers required, and texts that hold those required. Grounded: of "
    "the answers that could be checked (“checked”: how many), those in which every week, number, feature and topic "
    "stands in the report or in what a tool said. Seconds: of a question, with the wait for a turn where several were "
    "asked at once. Tokens read: of all its prompts together."
)

SHARES_HEAD = ("run", "by", "group", "measure", "yes", "of", "share", "low", "high")
SHARES_NOTE = (
    "Low and high: Wilson's 95 % interval, computed as if each row of the answers were a question of its own. Where "
    "one question was asked as several students its answers resemble one another, and the interval is too narrow. The "
    "measures are those of “Without a judge”; of a group, those are left out that no question of it counts for."
)
ONLY_IN_FILE = "By course and by category: in the CSV."
MEASURES = ("answered", "any tool acceptable", "first tool acceptable", "arguments right", "grounded")
GROUPINGS: Mapping[str, Callable[[AnswerRow], str]] = {
    "course": lambda row: row.course,
    "category": lambda row: row.category,
    "language": lambda row: row.language or NO_CATEGORY,
}
TITLES = {
    "course": "Without a judge, by course",
    "category": "Without a judge, by category of question",
    "language": "Without a judge, by language of the question",
}
ALL = "all"

Runs = Mapping[str, Sequence[AnswerRow]]


def make_tables(runs: Runs) -> tuple[Table, ...]:
    """Make all tables: overview, groups (by language only if any is known), shares, tools, faults."""
    spoken = any(row.language for rows in runs.values() for row in rows)
    groupings = [by for by in GROUPINGS if by != "language" or spoken]
    groups = [make_group_table(runs, by) for by in groupings]
    return (
        make_overview(runs), *groups, make_share_table(runs), make_tool_table(runs),
        make_fault_table(runs),
    )  # fmt: skip


def make_overview(runs: Runs) -> Table:
    """Make a line of each run."""
    rows = [(name, *_cells(answers)) for name, answers in runs.items()]
    return Table("tool_use", "Without a judge", ("run", *HEAD), rows, PERCENT, NOTE, BRIEF)


def make_group_table(runs: Runs, by: str) -> Table:
    """Make a line of each run and group. by: a key of GROUPINGS."""
    rows = [(name, group, *_cells(members)) for name, answers in runs.items() for group, members in _group(answers, by)]
    return Table(f"tool_use_by_{by}", TITLES[by], ("run", by, *HEAD), rows, PERCENT, AS_ABOVE, BRIEF)


def make_tool_table(runs: Runs) -> Table:
    """Count how often each run called each tool, those called most first; the shares of a run add up to 1."""
    rows: list[tuple[Cell, ...]] = []
    for name, answers in runs.items():
        made, refused, served = Counter[str](), Counter[str](), Counter[str]()
        for row in leave_out_failed(answers):
            made.update(call.name for call, _ in row.calls)
            refused.update(call.name for call, seen in row.calls if not seen.ok)
            served.update({call.name for call, _ in row.calls})
        tools = sorted(made, key=lambda tool: (-made[tool], tool))
        rows += [(name, tool, made[tool], made[tool] / made.total(), refused[tool], served[tool]) for tool in tools]
    head = ("run", "tool", "calls", "share of calls", "refused", "questions")
    note = (
        "Refused: the tool did not take the arguments, there is no such tool, or another student was asked about. "
        "Questions: in how many it was called at least once."
    )
    return Table("tools", "Tools that were called", head, rows, PERCENT, note)


def make_fault_table(runs: Runs) -> Table:
    """Count what went wrong in each run."""
    kinds = (*FAULT_KINDS.values(), OTHER)
    rows: list[tuple[Cell, ...]] = []
    for name, answers in runs.items():
        counts = count_faults(fault for row in leave_out_failed(answers) for fault in row.record.trajectory.faults)
        rows.append((name, *(counts[kind] for kind in kinds)))
    note = "A fault is a turn that the model was told to do again; a question can have several."
    return Table("faults", "Faults", ("run", *kinds), rows, note=note)


def make_share_table(runs: Runs) -> Table:
    """Give every measure of each run over all and by group, with Wilson's interval; unknown groups are left out."""
    rows: list[tuple[Cell, ...]] = []
    for name, answers in runs.items():
        groups = [(by, *group) for by in ("language", "course", "category") for group in _group(answers, by)]
        for by, group, members in [(ALL, ALL, list(answers)), *groups]:
            if by == "course" or group != NO_CATEGORY:
                rows += [(name, by, group, *cells) for cells in _measure(members)]
    return Table("targets", "Shares with intervals", SHARES_HEAD, rows, ("share", "low", "high"), SHARES_NOTE)


def shorten_shares(table: Table) -> Table:
    """Leave the shares over all and by language, for a page; the file beside it has all groups."""
    rows = [row for row in table.rows if row[SHARES_HEAD.index("by")] in (ALL, "language")]
    return replace(table, rows=rows, note=f"{table.note} {ONLY_IN_FILE}")


def _group(answers: Sequence[AnswerRow], by: str) -> Iterator[tuple[str, list[AnswerRow]]]:
    key = GROUPINGS[by]
    for group in sorted({key(row) for row in answers}):
        yield group, [row for row in answers if key(row) == group]


def _measure(answers: Sequence[AnswerRow]) -> Iterator[tuple[Cell, ...]]:
    rows = leave_out_failed(answers)
    for measure in MEASURES:
        share = SHARES[measure](rows)
        if share.of:
            interval = share.interval()
            yield measure, share.yes, share.of, share.value, interval.low, interval.high


def _cells(answers: Sequence[AnswerRow]) -> tuple[Cell, ...]:
    rows = leave_out_failed(answers)
    cells = {name: column(rows) for name, column in COLUMNS.items()} | {"errors": len(answers) - len(rows)}
    return tuple(cells[name] for name in HEAD)


def leave_out_failed(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    """The rows that neither we nor the world failed at: only these say something of a model."""
    return [row for row in rows if not row.failed]


def compute_percentile(rows: Sequence[AnswerRow], field: str, percentile: float) -> float | None:
    """Compute a percentile of a field of `Usage` over the rows, by linear interpolation; None of nothing."""
    return float(np.percentile([getattr(row.record.usage, field) for row in rows], percentile)) if rows else None


def _sum_usage(rows: Sequence[AnswerRow], field: str) -> int:
    return sum(getattr(row.record.usage, field) for row in rows)
