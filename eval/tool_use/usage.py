"""The counts over a set of answers: tools, faults, repairs, groundedness, seconds and tokens."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from eval.significance import Share, count_share
from eval.tool_use.answers import AnswerRow
from eval.tool_use.checks import check_first_arguments, is_any_tool_acceptable, is_first_tool_acceptable

Rows = Sequence[AnswerRow]

SHARES: Mapping[str, Callable[[Rows], Share]] = {
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


@dataclass(frozen=True, slots=True)
class ToolCount:
    """One tool. calls: all of them; refused: those whose arguments were not valid; questions: those that it served."""

    name: str
    calls: int
    refused: int
    questions: int


def leave_out_failed(rows: Rows) -> list[AnswerRow]:
    """The rows that neither we nor the world failed at: only these say something of a model."""
    return [row for row in rows if not row.failed]


def count_calls(rows: Rows) -> float | None:
    """Count the calls a question; None of nothing."""
    return fmean(len(row.calls) for row in rows) if rows else None


def compute_percentile(rows: Rows, field: str, percentile: float) -> float | None:
    """Compute a percentile of a field of `Usage` over the rows, by linear interpolation; None of nothing."""
    return float(np.percentile([getattr(row.record.usage, field) for row in rows], percentile)) if rows else None


def count_tools(rows: Rows) -> list[ToolCount]:
    """Count the calls of each tool, those called most first."""
    made, refused, served = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        made.update(call.name for call, _ in row.calls)
        refused.update(call.name for call, seen in row.calls if not seen.ok)
        served.update({call.name for call, _ in row.calls})
    names = sorted(made, key=lambda name: (-made[name], name))
    return [ToolCount(name, made[name], refused[name], served[name]) for name in names]


def _sum_usage(rows: Iterable[AnswerRow], field: str) -> Any:
    return sum(getattr(row.record.usage, field) for row in rows)
