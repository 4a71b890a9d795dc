"""The tools that an assistant had, as a judge is told of them: those that are described, and those nobody describes."""

import json
from collections.abc import Callable, Mapping

from scribe.records import Record
from scribe.trajectory import Act

ToolLines = Mapping[str, str]
"""A tool's name → the line that describes it."""
FindToolLines = Callable[[Record], ToolLines]
"""Finds the lines of the tools that a record's assistant could call."""

_LONGEST_NAME = 80


def find_undescribed(record: Record, lines: ToolLines) -> dict[str, bool]:
    """Find the tools that a trace calls and no line describes, each with whether any call of it returned something."""
    found: dict[str, bool] = {}
    for step in record.steps:
        for call, seen in zip(step.calls, step.observations, strict=True) if isinstance(step, Act) else ():
            if call.name not in lines:
                found[call.name] = found.get(call.name, False) or seen.ok
    return found


def list_tools(record: Record, lines: ToolLines) -> str:
    """List all that is known of the tools that this record's assistant had, one line each."""
    unknown = (_unknown_line(name, worked) for name, worked in find_undescribed(record, lines).items())
    return "\n".join([*lines.values(), *unknown])


def _unknown_line(name: str, worked: bool) -> str:
    """A model wrote the name, so it is shown as a text of its own."""
    shown = json.dumps(name[:_LONGEST_NAME], ensure_ascii=False)
    if worked:
        return f"- {shown}: no description is known; calls of it in the trace returned something."
    return f"- {shown}: no description is known; every call of it was refused, so there may be no such tool."
