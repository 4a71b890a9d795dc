"""A section of a pipeline's TOML file as its step's settings."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from scribe.errors import UsageError

Settings = TypeVar("Settings")


def settings(kind: type[Settings], table: Mapping[str, Any], name: str) -> Settings:
    """The section `name` as this frozen dataclass.

    Raises UsageError for an unknown key, naming the valid ones, and for a value that cannot be one.
    """
    valid = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    unknown = [key for key in table if key not in valid]
    if unknown:
        raise UsageError(f"[{name}] has no {unknown[0]!r}; it may have: {', '.join(valid)}")
    try:
        return TypeAdapter(kind).validate_python(dict(table))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"[{name}] {where}: {first['msg']}") from error


def read(kind: type[Settings], name: str, path: Path | None = None, changes: Iterable[str] = ()) -> Settings:
    """The section `name` of a pipeline's file, empty without one, with changes such as `teacher="api"` made.

    Raises UsageError for a file that cannot be read or a change that is none.
    """
    table = dict(_file(path).get(name, {})) if path else {}
    for change in changes:
        key, found, value = change.partition("=")
        if not found:
            raise UsageError(f"{change!r} changes nothing; write KEY=VALUE")
        table[key.strip()] = _value(value.strip())
    return settings(kind, table, name)


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"the pipeline {path} cannot be read: {error}") from error


def _value(text: str) -> Any:
    """A value as TOML writes it; what is none, such as a bare word, is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
