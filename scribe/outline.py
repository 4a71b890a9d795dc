"""A tool's result as the model reads it: an outline, one thing a line.

In an outline the name of a value stands right before it and each line says all of one thing, so a small model finds
what belongs together and can quote it. Trajectories, records and the check keep the JSON.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def outline(content: str) -> str:
    """The lines of a result. What is no JSON object stays as it is.

    >>> needs = '[{"topic": "DFT", "week": 2}]'
    >>> print(outline(f'{{"week": 3, "needs": {needs}, "by_week": {{"1": "9 clicks"}}, "also": ["FFT", "DTFT"]}}'))
    week: 3
    needs: DFT; week 2
    by week 1: 9 clicks
    also: FFT; DTFT
    """
    try:
        result = json.loads(content)
    except ValueError:
        return content
    return "\n".join(_lines(result)) if isinstance(result, dict) and result else content


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    for key, value in result.items():
        name = key.replace("_", " ")
        match value:
            case Mapping() if value and all(one.isdecimal() for one in value):
                yield from (f"{name} {one}: {_inline(item)}" for one, item in value.items())
            case Mapping() if value:
                yield from (f"{name}: {one}: {_inline(item)}" for one, item in value.items())
            case [Mapping(), *_]:
                yield from (f"{name}: {_inline(item)}" for item in value)
            case _:
                yield f"{name}: {_inline(value)}"


def _inline(value: Any) -> str:
    """A value in one line, whatever it holds; of a thing with several values the first is its name."""
    match value:
        case str():
            return " ".join(value.split())
        case Mapping():
            (first, *rest) = value.items() or [("", "none")]
            return "; ".join([_inline(first[1]), *(f"{key.replace('_', ' ')} {_inline(item)}" for key, item in rest)])
        case list() | tuple():
            return "; ".join(_inline(item) for item in value) or "none"
        case None | bool():
            return {None: "none", True: "yes", False: "no"}[value]
        case _:
            return str(value)
