"""Settings from one TOML file and the environment.

The file is $SCRIBE_CONFIG, else ./scribe.toml if it is there. `SCRIBE_MODEL_BACKEND=hf` in the
environment goes before `backend = "hf"` under `[model]` in the file, and so on for every key.
"""

import dataclasses
import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.campus.settings import CampusSettings
from scribe.errors import UsageError


def load_settings(environment: Mapping[str, str] = os.environ, folder: Path = Path()) -> CampusSettings:
    """The settings in force. Raises UsageError naming the file or variable, and what would be valid."""
    named = environment.get("SCRIBE_CONFIG")
    path = Path(named) if named else folder / "scribe.toml"
    tables = _read_file(path) if named or path.exists() else {}
    _refuse_unknown(tables, _list_fields(CampusSettings), f"{path}: no table is called")
    values: dict[str, Any] = {}
    for table in dataclasses.fields(CampusSettings):
        content = tables.get(table.name, {})
        if not isinstance(content, dict):
            raise UsageError(f"{path}: {table.name} must be a table, written [{table.name}]")
        kind = type(getattr(CampusSettings(), table.name))
        _refuse_unknown(content, _list_fields(kind), f"{path}: [{table.name}] has no key")
        values[table.name] = content | _read_environment(environment, table.name, _list_fields(kind))
    return _validate(values)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise UsageError(f"the settings file {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the settings file {path} is not valid TOML: {error}") from error


def _read_environment(environment: Mapping[str, str], table: str, keys: list[str]) -> dict[str, str]:
    prefix = f"SCRIBE_{table.upper()}_"
    given = {name: value for name, value in environment.items() if name.startswith(prefix)}
    _refuse_unknown(given, [f"{prefix}{key.upper()}" for key in keys], "no setting is called")
    return {name.removeprefix(prefix).lower(): value for name, value in given.items()}


def _refuse_unknown(given: Iterable[str], valid: list[str], complaint: str) -> None:
    for name in given:
        if name not in valid:
            close = difflib.get_close_matches(name, valid, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise UsageError(f"{complaint} {name!r}; {hint}valid are {', '.join(valid)}")


def _list_fields(kind: type[Any]) -> list[str]:
    return [each.name for each in dataclasses.fields(kind)]


def _validate(values: Mapping[str, Any]) -> CampusSettings:
    try:
        return TypeAdapter(CampusSettings).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"setting {where} = {first['input']!r}: {first['msg']}") from error
