"""What a turn may be, as a grammar that is held against every token (llguidance).

The grammar begins after the opener. Reasoning and answer are bounded, are not blank, and hold nothing
that could be read as a marker; a call is JSON exactly as `json.dumps` writes it, which is how the model
was trained. Nothing here knows which library runs the model.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from numpy.typing import NDArray

from scribe.backend import Constraint
from scribe.messages import (
    END_OF_FINAL_ANSWER,
    END_OF_REASONING,
    END_OF_TOOL_CALL,
    FINAL_ANSWER,
    TOOL_CALL,
)
from scribe.plumbing.errors import UsageError
from scribe.quotes import MARK

LONGEST_REASONING = 2400
LONGEST_ANSWER = 2400
LONGEST_STRING = 200
"""Characters; a model that rambles is brought to an end instead of to its token limit."""

_AS_DUMPED = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": ", "lenient": True}
_KEPT_GRAMMARS = 32


def grammar(constraint: Constraint) -> str:
    """The Lark grammar of a turn after `[REASONING]`. Raises UsageError if nothing is allowed."""
    branches = []
    if "call" in constraint.allow and constraint.tools:
        branches.append(f"{_quoted(TOOL_CALL)} call {_quoted(END_OF_TOOL_CALL)}")
    if "answer" in constraint.allow:
        branches.append(f"{_quoted(FINAL_ANSWER)} answer")
    if not branches:
        raise UsageError("a turn must be allowed to be an answer, or a call with at least one tool")
    rules = [
        f"start: {_reasoned(constraint.lines)} /\\n?/ ({' | '.join(branches)})",
        *_quotes(constraint.lines),
        _prose("reasoning", LONGEST_REASONING, END_OF_REASONING, f"[{MARK.strip()}"),
    ]
    if "answer" in constraint.allow:
        rules.append(_prose("answer", LONGEST_ANSWER, END_OF_FINAL_ANSWER))
    if "call" in constraint.allow and constraint.tools:
        rules.append(f"call: %json {json.dumps(_calls(constraint.tools))}")
    return "\n".join(rules)


class Guide:
    """The grammar of one turn and how far the turn has come."""

    def __init__(self, matcher: LLMatcher) -> None:
        self._matcher = matcher

    def allows(self, token: int) -> bool:
        """Whether the turn may go on with this token; much cheaper than `masked`."""
        return bool(self._matcher.validate_tokens([token]) == 1)

    def masked(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """The logits (vocabulary,) with every token that is not allowed at minus infinity."""
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        allowed = np.unpackbits(bits, count=len(logits), bitorder="little").view(bool)  # ids beyond the mask: not
        return np.where(allowed, logits, np.float32(-np.inf))

    def forced(self) -> list[int]:
        """The tokens that must come next, as the tokenizer would write their text; often none."""
        return [int(token) for token in self._matcher.compute_ff_tokens()]

    def accept(self, token: int) -> bool:
        """Go on with this token. False if the grammar can follow no longer (too complex, or not allowed)."""
        return bool(self._matcher.consume_token(token))


class Grammars:
    """Guides for one tokenizer, for any thread; compiled grammars are kept, those used least recently go first."""

    def __init__(self, tokenizer: LLTokenizer) -> None:
        self._tokenizer = tokenizer
        self._compiled: dict[str, LLMatcher] = {}
        self._lock = threading.Lock()

    def guide(self, constraint: Constraint) -> Guide:
        """A guide for one turn. Raises UsageError for a schema that llguidance cannot compile."""
        text = grammar(constraint)
        with self._lock:
            matcher = self._compiled.pop(text, None) or self._compile(text)
            self._compiled[text] = matcher
            if len(self._compiled) > _KEPT_GRAMMARS:
                del self._compiled[next(iter(self._compiled))]
            guide = Guide(matcher.deep_copy())
        for token in self._tokenizer.tokenize_str(constraint.begun) if constraint.begun else ():
            guide.accept(token)
        return guide

    def _compile(self, text: str) -> LLMatcher:
        matcher = LLMatcher(self._tokenizer, text, log_level=0)
        if matcher.is_error():
            raise UsageError(f"no grammar can be made of the tools' schemas: {matcher.get_error()[:300]}")
        return matcher


def _reasoned(lines: Sequence[str]) -> str:
    """Reasoning, perhaps behind quotes, which may stand for it."""
    return f'(reasoning | " "? quotes (reasoning | " "? {_quoted(END_OF_REASONING)}))' if lines else "reasoning"


def _quotes(lines: Sequence[str]) -> list[str]:
    """One or more of the lines, in their order and each once, so that no model copies in a circle."""
    if not lines:
        return []
    one = [f'({_quoted(MARK + line)} "\\n")' for line in lines]
    more = [f"more{at}: {line}? more{at + 1}" for at, line in enumerate(one[:-1])]
    first = " | ".join([f"{line} more{at + 1}" for at, line in enumerate(one[:-1])] + one[-1:])
    return [f"quotes: {first}", *more, f"more{len(one) - 1}: {one[-1]}?"]


def _prose(name: str, longest: int, end: str, first: str = "[") -> str:
    """Free text up to a marker, which begins with none of the characters `first`.

    A bracket is not followed by a letter that begins one of our markers: this costs "x[T]" in an answer, and saves the
    negation whose automaton explodes with a bound.
    """
    return f"{name}[suffix={_quoted(end)}]: /\\s?[^\\s\\{first}]([^\\[]|\\[+[^TFRE\\[]){{0,{longest}}}/"


def _calls(tools: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A schema for `{"name": …, "arguments": …}` of any of the tools."""
    return {"x-guidance": _AS_DUMPED, "anyOf": [_call(name, schema) for name, schema in tools.items()]}


def _call(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"name": {"const": name}, "arguments": _bounded(schema)},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def _bounded(schema: Any) -> Any:
    """The schema with a length for every string that has none and is not one of a few given ones."""
    if isinstance(schema, list):
        return [_bounded(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    inner = {key: _bounded(value) for key, value in schema.items()}
    free = inner.get("type") == "string" and not inner.keys() & {"maxLength", "enum", "const", "pattern"}
    return {**inner, "maxLength": LONGEST_STRING} if free else inner


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
