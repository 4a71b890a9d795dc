"""Tools from typed functions, and the toolbox that calls them for one student of one course.

`Toolbox.call` never raises for the model's mistakes: an unknown tool, bad arguments or another
student's name come back as an observation that says what would be valid.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import TypeAdapter, ValidationError, validate_call
from rapidfuzz import process

from scribe.trajectory import Call, Observation

STUDENT_WORDS = ("student", "student_id", "student_name", "user", "user_id", "name", "id")
COURSE_WORDS = ("course", "course_name", "course_id", "mooc", "mooc_name")
LARGEST_RESULT = 50_000
"""Letters of a result; no model of ours can read more, and a page should not have to show it."""


class Refusal(Exception):
    """Raised by a tool for arguments it cannot serve; `hints` tells the model what would be valid."""

    def __init__(self, message: str, **hints: Any) -> None:
        super().__init__(message)
        self.hints = hints


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call. `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., Mapping[str, Any]]

    @classmethod
    def of(cls, function: Callable[..., Mapping[str, Any]]) -> "Tool":
        """A tool named, described and typed by its function; the docstring is what the model reads."""
        adapter: TypeAdapter[Any] = TypeAdapter(function)  # type: ignore[arg-type]  # pydantic takes functions too
        schema = _simplify_schema(adapter.json_schema())
        description = " ".join((function.__doc__ or "").split())
        return cls(function.__name__, description, schema, validate_call(function))

    @property
    def signature(self) -> str:
        """The tool as one line of the prompt: name, arguments with type and range, description."""
        required = self.parameters.get("required", [])
        properties: Mapping[str, Mapping[str, Any]] = self.parameters["properties"]
        shown = ", ".join(_write_argument(name, rule, name in required) for name, rule in properties.items())
        return f"- {self.name}({shown}): {self.description}"


@dataclass(frozen=True)
class Identity:
    """Whose data the toolbox may show. Comes from the login, never from the model."""

    student: str
    course: str
    course_aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toolbox:
    """The tools of one student in one course."""

    tools: tuple[Tool, ...]
    identity: Identity

    @cached_property
    def by_name(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def listing(self) -> str:
        """The tools as the prompt shows them, one line each."""
        return "\n".join(tool.signature for tool in self.tools)

    @property
    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """Each tool's JSON schema of arguments, for constrained decoding."""
        return {tool.name: tool.parameters for tool in self.tools}

    def call(self, call: Call, language: str = "") -> Observation:
        """Run a call. Anything wrong with it becomes an observation with `ok=False`.

        language: to answer in, as `Task.language` names it, for toolboxes that speak several.
        """
        tool = self.by_name.get(call.name)
        if tool is None:
            best = process.extractOne(call.name, list(self.by_name))
            hint = f" Did you mean {best[0]}?" if best and best[1] >= 60 else ""
            return _observe(False, {"error": f"There is no tool {call.name}.{hint}", "tools": sorted(self.by_name)})
        if refused := _refuse_foreign(call.arguments, self.identity):
            return _observe(False, {"error": refused})
        arguments, repairs = coerce(call.arguments, tool.parameters, (*STUDENT_WORDS, *COURSE_WORDS))
        try:
            return _observe(True, tool.run(**arguments), repairs)
        except ValidationError as error:
            problems = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()]
            told = f"Bad arguments for {tool.name}: {'; '.join(problems)}."
            return _observe(False, {"error": told, "usage": tool.signature[2:]}, repairs)
        except Refusal as refusal:
            return _observe(False, {"error": str(refusal), **refusal.hints}, repairs)


def _observe(ok: bool, content: Mapping[str, Any], repairs: Iterable[str] = ()) -> Observation:
    told = json.dumps(content, ensure_ascii=False)
    if len(told) > LARGEST_RESULT:
        ok, told = False, json.dumps({"error": f"The result has {len(told):,} letters, which is too much to read."})
    return Observation(ok, told, tuple(repairs))


def _refuse_foreign(arguments: Mapping[str, Any], identity: Identity) -> str | None:
    """Why these arguments are refused if they name another student or course."""
    own = {identity.student.lower(), "me", "self", "current", ""}
    courses = {word.lower() for word in (identity.course, *identity.course_aliases, "")}
    for key, value in arguments.items():
        said = "" if value is None else str(value).strip().lower()
        if key in STUDENT_WORDS and said not in own:
            return "Only the data of the student who is asking can be shown. Leave the student out."
        if key in COURSE_WORDS and said not in courses:
            return f"Only the course {identity.course} can be asked about here. Leave the course out."
    return None


def _simplify_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without titles, and with `anyOf [x, null]` of optional arguments reduced to x."""
    properties = {name: _simplify_rule(rule) for name, rule in schema.get("properties", {}).items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(schema.get("required", [])),
        "additionalProperties": False,
    }


def _simplify_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    options = [option for option in rule.get("anyOf", []) if option.get("type") != "null"]
    merged = {**rule, **(options[0] if len(options) == 1 else {})}
    return {key: value for key, value in merged.items() if key not in ("title", "anyOf", "default")}


def _write_argument(name: str, rule: Mapping[str, Any], required: bool) -> str:
    span = f" {rule['minimum']}-{rule['maximum']}" if "minimum" in rule and "maximum" in rule else ""
    return f"{name}{'' if required else '?'}: {rule.get('type', 'any')}{span}"


def coerce(
    arguments: Mapping[str, Any], schema: Mapping[str, Any], ignorable: Collection[str] = ()
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments as the schema wants them where nothing is lost, `"5"` or `"week 5"` for 5; and what was repaired.

    Arguments in `ignorable` that the schema does not know are dropped; any other is left as it is, for
    validation to complain about.
    """
    properties: Mapping[str, Mapping[str, Any]] = schema["properties"]
    kept: dict[str, Any] = {}
    repairs: list[str] = []
    for name, value in arguments.items():
        if name not in properties and name in ignorable:
            repairs.append(f"{name} dropped")
            continue
        fitted = _fit(value, str(properties.get(name, {}).get("type", "")))
        if fitted is not value:
            repairs.append(f"{name}: {value!r} to {fitted!r}")
        if fitted is not None or name in schema["required"]:
            kept[name] = fitted
    return kept, tuple(repairs)


def _fit(value: Any, wanted: str) -> Any:
    match wanted, value:
        case "integer", str():
            # "week-5" is 5 but "-5" is not; longer ones than any count could be are left to validation.
            numbers = re.findall(r"(?:(?<!\w)-)?\d+(?:\.\d+)?", value)
            return int(numbers[0]) if len(numbers) == 1 and "." not in numbers[0] and len(numbers[0]) < 10 else value
        case "integer", float() if value.is_integer():
            return int(value)
        case "string", int() | float() if not isinstance(value, bool):
            return str(value)
        case "string", list() if len(value) == 1 and isinstance(value[0], str):
            return value[0]
        case _:
            return value
