"""The counts over a set of answers: tools, faults, repairs, groundedness, seconds and tokens."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from eval.significance import Share, count_share
from eval.tool_use.answers import AnswerRow
from eval.tool_use.checks import check_first_arguments, count_faults, is_any_tool_acceptable, is_first_tool_acceptable

Check = Callable[[AnswerRow], Sequence[str] | None]
"""Says what of an answer nothing supports; None if it cannot say."""


@dataclass(frozen=True, slots=True)
class ToolCount:
    """One tool. calls: all of them; refused: those whose arguments were not valid; questions: those that it served."""

    name: str
    calls: int
    refused: int
    questions: int


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Median and 95th percentile; None of nothing."""

    median: float | None
    p95: float | None

    @classmethod
    def of(cls, values: Iterable[float]) -> "Percentiles":
        """Compute both of these values, by linear interpolation."""
        found = list(values)
        return cls(*(float(np.percentile(found, q)) for q in (50, 95))) if found else cls(None, None)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Counts over the questions that neither we nor the world failed at; `errors` are those that failed.

    valid: calls whose arguments were taken. coerced: calls with repaired arguments.
    first_tool: first calls among those that the questions' file accepts. any_tool: questions with such a call.
    arguments: first calls to a tool with all the arguments that their question requires.
    grounded: answers of which everything named is supported, of those that could be checked.
    seconds: from a question's first step to its last, `waiting` included.
    """

    questions: int
    answered: int
    errors: int
    tools: tuple[ToolCount, ...]
    per_question: float | None
    without_call: Share
    valid: Share
    coerced: Share
    faults: Mapping[str, int]
    faulty: Share
    first_tool: Share
    any_tool: Share
    arguments: Share
    grounded: Share
    seconds: Percentiles
    waiting: Percentiles
    prompt_tokens: Percentiles
    cached: Share
    completion_tokens: Percentiles

    @property
    def calls(self) -> int:
        """All calls of all tools."""
        return sum(tool.calls for tool in self.tools)


def count_tool_use(rows: Sequence[AnswerRow], check: Check) -> ToolUse:
    """Count what these answers hold."""
    done = [row for row in rows if not row.failed]
    observations = [seen for row in done for _, seen in row.calls]
    usages = [row.record.usage for row in done]
    checked = [check(row) for row in done]
    return ToolUse(
        questions=len(done),
        answered=sum(row.status == "ok" for row in done),
        errors=len(rows) - len(done),
        tools=_count_tools(done),
        per_question=fmean(len(row.calls) for row in done) if done else None,
        without_call=count_share(not row.calls for row in done),
        valid=count_share(seen.ok for seen in observations),
        coerced=count_share(bool(seen.coerced) for seen in observations),
        faults=count_faults(fault for row in done for fault in row.record.trajectory.faults),
        faulty=count_share(bool(row.record.trajectory.faults) for row in done),
        first_tool=count_share(map(is_first_tool_acceptable, done)),
        any_tool=count_share(map(is_any_tool_acceptable, done)),
        arguments=count_share(right for row in done for right in check_first_arguments(row)),
        grounded=count_share(None if unsupported is None else not unsupported for unsupported in checked),
        seconds=Percentiles.of(each.seconds for each in usages),
        waiting=Percentiles.of(each.queue_seconds for each in usages),
        prompt_tokens=Percentiles.of(each.prompt_tokens for each in usages),
        cached=Share(sum(each.cached_tokens for each in usages), sum(each.prompt_tokens for each in usages)),
        completion_tokens=Percentiles.of(each.completion_tokens for each in usages),
    )


def _count_tools(rows: Sequence[AnswerRow]) -> tuple[ToolCount, ...]:
    """The tools by name, those called most first."""
    made, refused, served = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        made.update(call.name for call, _ in row.calls)
        refused.update(call.name for call, seen in row.calls if not seen.ok)
        served.update({call.name for call, _ in row.calls})
    names = sorted(made, key=lambda name: (-made[name], name))
    return tuple(ToolCount(name, made[name], refused[name], served[name]) for name in names)
