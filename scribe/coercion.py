"""Arguments made valid where nothing is lost: `"5"` and `"week 5"` for 5. Every repair is named."""

import re
from collections.abc import Collection, Mapping
from typing import Any


def coerce(
    arguments: Mapping[str, Any], schema: Mapping[str, Any], ignorable: Collection[str] = ()
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments as the schema wants them where that is certain, and what was repaired.

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
            return int(numbers[0]) if len(numbers) == 1 and _is_count(numbers[0]) else value
        case "integer", float() if value.is_integer():
            return int(value)
        case "string", int() | float() if not isinstance(value, bool):
            return str(value)
        case "string", list() if len(value) == 1 and isinstance(value[0], str):
            return value[0]
        case _:
            return value


def _is_count(number: str) -> bool:
    return "." not in number and len(number) <= 9
