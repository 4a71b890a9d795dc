"""The counts over a set of answers: tools, faults, repairs, groundedness, seconds and tokens."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from eval.tool_use import arguments, faults
from eval.tool_use.answered import Answered
from scribe.trajectory import Call, Observation

Check = Callable[[Answered], Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class ToolCount:
    """One tool. calls: all of them; refused: those whose arguments were not valid; questions: those that it served."""

    name: str
    calls: int
    refused: int
    questions: int


@dataclass(frozen=True, slots=True)
class Share:
    """Of how many something is so; `value` is 0 to 1, None of nothing."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1."""
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 95th percentile; None of nothing."""

    median: float | None
    p95: float | None

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        """Of these values, by linear interpolation."""
        found = list(values)
        return cls(*(float(np.percentile(found, q)) for q in (50, 95))) if found else cls(None, None)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Counts over the questions that neither we nor the world failed at; `errors` are those that failed.

    valid: calls whose arguments were taken. coerced: calls with repaired arguments. first_tool: first calls among
    those that the questions' file accepts; any_tool: questions with such a call at any time. arguments: first calls
    to a tool with all the arguments that their question requires, of those for which it requires some. grounded:
    answers of which everything named is supported, of those that could be checked. seconds: from a question's first
    step to its last, `waiting` included.
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
    seconds: Spread
    waiting: Spread
    prompt_tokens: Spread
    cached: Share
    completion_tokens: Spread

    @property
    def calls(self) -> int:
        """All calls of all tools."""
        return sum(tool.calls for tool in self.tools)


def count(rows: Sequence[Answered], check: Check) -> ToolUse:
    """The counts over these answers; `check` says what of an answer nothing supports, None if it cannot say."""
    done = [row for row in rows if not row.failed]
    made = [pair for row in done for pair in calls(row)]
    used = [row.record.usage for row in done]
    return ToolUse(
        questions=len(done),
        answered=sum(row.status == "ok" for row in done),
        errors=len(rows) - len(done),
        tools=_tools(done),
        per_question=fmean(len(calls(row)) for row in done) if done else None,
        without_call=Share(sum(not calls(row) for row in done), len(done)),
        valid=Share(sum(seen.ok for _, seen in made), len(made)),
        coerced=Share(sum(bool(seen.coerced) for _, seen in made), len(made)),
        faults=faults.kinds(fault for row in done for fault in row.record.trajectory.faults),
        faulty=Share(sum(bool(row.record.trajectory.faults) for row in done), len(done)),
        first_tool=_first_tools(done),
        any_tool=_any_tools(done),
        arguments=_arguments(done),
        grounded=_grounded(done, check),
        seconds=Spread.of(each.seconds for each in used),
        waiting=Spread.of(each.queue_seconds for each in used),
        prompt_tokens=Spread.of(each.prompt_tokens for each in used),
        cached=Share(sum(each.cached_tokens for each in used), sum(each.prompt_tokens for each in used)),
        completion_tokens=Spread.of(each.completion_tokens for each in used),
    )


def calls(row: Answered) -> list[tuple[Call, Observation]]:
    """Each call of a row with what the tool said."""
    return [pair for act in row.record.trajectory.acts for pair in zip(act.calls, act.observations, strict=True)]


def _tools(rows: Sequence[Answered]) -> tuple[ToolCount, ...]:
    """The tools by name, those called most first."""
    made: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    served: Counter[str] = Counter()
    for row in rows:
        pairs = calls(row)
        made.update(call.name for call, _ in pairs)
        refused.update(call.name for call, seen in pairs if not seen.ok)
        served.update({call.name for call, _ in pairs})
    order = sorted(made, key=lambda name: (-made[name], name))
    return tuple(ToolCount(name, made[name], refused[name], served[name]) for name in order)


def _first_tools(rows: Sequence[Answered]) -> Share:
    known = [(row.tools or ("",), calls(row)) for row in rows if row.tools is not None]
    return Share(sum((made[0][0].name if made else "") in right for right, made in known), len(known))


def _any_tools(rows: Sequence[Answered]) -> Share:
    known = [(row.tools or ("",), {call.name for call, _ in calls(row)}) for row in rows if row.tools is not None]
    return Share(sum(not (made or {""}).isdisjoint(right) for right, made in known), len(known))


def _arguments(rows: Sequence[Answered]) -> Share:
    """Of each question, the first call to each tool that it requires arguments of; a tool not called has none."""
    found = [
        arguments.right(required, given)
        for row in rows
        for name, required in row.arguments.items()
        if (given := _first_given(row, name)) is not None
    ]
    return Share(sum(found), len(found))


def _first_given(row: Answered, name: str) -> Mapping[str, Any] | None:
    return next((call.arguments for call, _ in calls(row) if call.name == name), None)


def _grounded(rows: Sequence[Answered], check: Check) -> Share:
    checked = [said for row in rows if (said := check(row)) is not None]
    return Share(sum(not said for said in checked), len(checked))
