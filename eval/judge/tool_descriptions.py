"""The tools that an assistant had, as a judge is told of them: those that are described, and those nobody describes."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from eval.lines import describe_problem
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.tool import Tool
from scribe.trajectory import Act

ToolLines = Mapping[str, str]
"""A tool's name → the line that describes it."""
FindToolLines = Callable[[Record], ToolLines]
"""Finds the lines of the tools that a record's assistant could call."""

_LONGEST_NAME = 80


class _ToolDescription(BaseModel):
    """A tool as OpenAI's requests describe one; `parameters` is the JSON schema of its arguments."""

    name: str = Field(min_length=1)
    description: str = Field(min_length=1)
    parameters: dict[str, Any] = {}


_FILE = TypeAdapter(Annotated[list[_ToolDescription], Field(min_length=1)])


def read_tool_lines(path: Path) -> ToolLines:
    """Read a file of tools: a JSON list of {"name", "description", "parameters"}, or as OpenAI wraps these.

    Raises UsageError that says what the file should hold.
    """
    try:
        content = json.loads(path.read_bytes())
        listed = content.get("tools") if isinstance(content, dict) else content
        tools = _FILE.validate_python([_unwrap(each) for each in listed or ()])
    except OSError as error:
        raise UsageError(f"the tools {path} cannot be read: {error.strerror}") from error
    except (ValidationError, ValueError, TypeError, RecursionError) as error:
        problem = describe_problem(error) if isinstance(error, ValidationError) else error
        wanted = 'a JSON list of {"name", "description", "parameters"}'
        raise UsageError(f"{path} does not describe tools; it should hold {wanted}: {problem}") from error
    return {each.name: _to_line(each) for each in tools}


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


def _unwrap(tool: Any) -> Any:
    return tool["function"] if isinstance(tool, dict) and isinstance(tool.get("function"), dict) else tool


def _to_line(tool: _ToolDescription) -> str:
    schema = {"properties": {}, **tool.parameters}
    return Tool(tool.name, " ".join(tool.description.split()), schema, dict).signature


def _unknown_line(name: str, worked: bool) -> str:
    """A model wrote the name, so it is shown as a text of its own."""
    shown = json.dumps(name[:_LONGEST_NAME], ensure_ascii=False)
    if worked:
        return f"- {shown}: no description is known; calls of it in the trace returned something."
    return f"- {shown}: no description is known; every call of it was refused, so there may be no such tool."
