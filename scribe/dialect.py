"""Raw text to calls or a final answer, one small class per model family. Reading never raises.

Read leniently, write strictly: every dialect understands our markers; the others add what their
models fall back to. Writing is `transcript`'s business and has one form only.
"""

import ast
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from scribe.messages import (
    END_OF_FINAL_ANSWER,
    END_OF_REASONING,
    END_OF_TOOL_CALL,
    FINAL_ANSWER,
    REASONING,
    TOOL_CALL,
    defuse,
)
from scribe.trajectory import Call


@dataclass(frozen=True, slots=True)
class Calls:
    """The model asked for tools."""

    thought: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """The model answered."""

    thought: str
    text: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """The turn is neither; the complaint says why, in words for the model."""

    complaint: str


Reading = Calls | Final | Malformed


_LIST_BEGINS, _LIST_ENDS = re.compile(r"\[\s*[A-Za-z_]\w*\s*\("), re.compile(r"\)\s*\]")
DEEPEST = 8
"""Levels of nesting in a call's arguments; no tool has more than one."""


class Dialect(Protocol):
    """How one family of models writes."""

    def read(self, text: str) -> Reading:
        """What this turn means. Never raises."""
        ...


@dataclass(frozen=True, slots=True)
class MarkerDialect:
    """The markers of the SCRIBE paper; inside a call, JSON or a Python-like list."""

    def read(self, text: str) -> Reading:
        thought, rest = _split_thought(text)
        blocks = re.findall(rf"{re.escape(TOOL_CALL)}(.*?)(?:{re.escape(END_OF_TOOL_CALL)}|$)", rest, re.S)
        if FINAL_ANSWER in rest and not blocks:
            return _final(thought, rest.split(FINAL_ANSWER, 1)[1])
        if not blocks:
            return Malformed(f"The turn has neither {TOOL_CALL} nor {FINAL_ANSWER}.")
        if not thought:
            return Malformed("The reasoning is missing.")
        return _calls(thought, blocks, parse_calls)


@dataclass(frozen=True, slots=True)
class ToolAceDialect:
    """ToolACE: a bare Python-like list `[tool(a=1), other()]`; prose without one is the answer."""

    def read(self, text: str) -> Reading:
        return _read_with_fallback(text, _find_list, parse_python)


@dataclass(frozen=True, slots=True)
class LlamaJsonDialect:
    """Llama 3.1: a bare JSON object with `name` and `parameters`; prose without one is the answer."""

    def read(self, text: str) -> Reading:
        return _read_with_fallback(text, _find_object, parse_json)


DIALECTS: dict[str, type[MarkerDialect] | type[ToolAceDialect] | type[LlamaJsonDialect]] = {
    "markers": MarkerDialect,
    "toolace": ToolAceDialect,
    "llama": LlamaJsonDialect,
}


def parse_calls(body: str) -> tuple[Call, ...]:
    """Calls written as JSON or as a Python-like list, whichever it looks like. Raises ValueError."""
    return parse_json(body) if re.match(r"\[?\s*[{\]]", body.lstrip()) else parse_python(body)


def parse_json(body: str) -> tuple[Call, ...]:
    """Calls as one JSON object or a list of them; `parameters` is read as `arguments`."""
    data = json.loads(body, strict=False)
    return tuple(_call(item) for item in (data if isinstance(data, list) else [data]))


def parse_python(body: str) -> tuple[Call, ...]:
    """Calls as `[tool(a=1), other(b="x")]` or a single `tool(a=1)`; literals only, nothing is run."""
    try:
        tree = ast.parse(body.strip(), mode="eval").body
        nodes = tree.elts if isinstance(tree, ast.List) else [tree]
        return tuple(_python_call(node) for node in nodes)
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(f"not readable as a call: {error.__class__.__name__}") from error


def _python_call(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
        raise ValueError("a call must look like tool(argument=value)")
    return _make_call(node.func.id, {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg})


def _call(item: Any) -> Call:
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        raise ValueError('a call needs "name" and "arguments"')
    arguments = item.get("arguments", item.get("parameters", {}))
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    if not isinstance(arguments, dict):
        raise ValueError('"arguments" must be an object')
    return _make_call(item["name"], arguments)


def _make_call(name: str, arguments: dict[str, Any]) -> Call:
    """The call, if its arguments can be written as JSON again: it will be, into prompts and records."""
    return Call(_encodable(name), {_encodable(key): _plain(value) for key, value in arguments.items()})


def _plain(value: Any, depth: int = DEEPEST) -> Any:
    """The value as JSON has it. Raises ValueError for bytes, sets and whatever else Python can spell."""
    match value:
        case str():
            return _encodable(value)
        case list() | tuple() if depth:
            return [_plain(item, depth - 1) for item in value]
        case dict() if depth:
            return {_encodable(str(key)): _plain(item, depth - 1) for key, item in value.items()}
        case None | bool() | int():
            return value
        case float() if math.isfinite(value):
            return value
        case _:
            raise ValueError("an argument must be text, a whole number, a decimal number or a short list")


def _encodable(text: str) -> str:
    """The text without lone surrogates, which `"\\ud800"` in JSON makes and no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _split_thought(text: str) -> tuple[str, str]:
    """The reasoning and what follows it. A turn may lack the opener, which the prompt has written."""
    body = text.strip().removeprefix(REASONING)
    for end in (END_OF_REASONING, TOOL_CALL, FINAL_ANSWER):
        thought, found, rest = body.partition(end)
        if found:
            return thought.strip(), rest if end is END_OF_REASONING else end + rest
    return body.strip(), ""


def _final(thought: str, body: str) -> Reading:
    text = body.split(END_OF_FINAL_ANSWER, 1)[0].strip()
    return Final(thought, text) if text else Malformed("The final answer is empty.")


def _calls(thought: str, bodies: list[str], parse: Callable[[str], tuple[Call, ...]]) -> Reading:
    try:
        calls = tuple(call for body in bodies for call in parse(body))
    except (ValueError, TypeError, RecursionError) as error:
        return Malformed(f"The tool call is not readable ({defuse(str(error))}).")
    return Calls(thought, calls) if calls else Malformed("The tool call is empty.")


def _find_list(body: str) -> tuple[int, int] | None:
    """Where a list of calls begins and ends: from the first `[tool(` to the last `)]`."""
    begun = _LIST_BEGINS.search(body)
    ends = [match.end() for match in _LIST_ENDS.finditer(body, begun.end())] if begun else []
    return (begun.start(), ends[-1]) if begun and ends else None


def _find_object(body: str) -> tuple[int, int] | None:
    """Where JSON objects that hold a name begin and end: from the first brace to the last."""
    start, end = body.find("{"), body.rfind("}")
    return (start, end + 1) if 0 <= start < body.find('"name"', max(start, 0)) < end - 5 else None


FindCalls = Callable[[str], tuple[int, int] | None]
"""Where in a text the calls stand. One look at it is enough, however long it is."""


def _read_with_fallback(text: str, find: FindCalls, parse: Callable[[str], tuple[Call, ...]]) -> Reading:
    if TOOL_CALL in text or FINAL_ANSWER in text:
        return MarkerDialect().read(text)
    thought, rest = _split_thought(text)
    body = rest or thought
    if found := find(body):
        start, end = found
        return _calls((thought if rest else body[:start]).strip(), [body[start:end]], parse)
    return _final(thought if rest else "", body)
