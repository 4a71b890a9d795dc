"""Settings from one TOML file and the environment.

The file is $SCRIBE_CONFIG, else ./scribe.toml if it is there. `SCRIBE_MODEL_BACKEND=hf` in the
environment goes before `backend = "hf"` under `[model]` in the file, and so on for every key.
"""

import difflib
import os
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.campus.settings import CampusSettings
from scribe.plumbing.errors import UsageError
from scribe.plumbing.toml_text import parse_toml


def load_settings(environment: Mapping[str, str] = os.environ, folder: Path = Path()) -> CampusSettings:
    """The settings in force. Raises UsageError naming the file or variable, and what would be valid."""
    named = environment.get("SCRIBE_CONFIG")
    path = Path(named) if named else folder / "scribe.toml"
    content = _read_file(path) if named or path.exists() else {}
    defaults = asdict(CampusSettings())
    _refuse_unknown(content, defaults, f"{path}: no table is called")
    values: dict[str, Any] = {}
    for table, keys in defaults.items():
        values[table] = content.get(table, {})
        if not isinstance(values[table], dict):
            raise UsageError(f"{path}: {table} must be a table, written [{table}]")
        _refuse_unknown(values[table], keys, f"{path}: [{table}] has no key")
        variables = {f"SCRIBE_{table}_{key}".upper(): key for key in keys}
        given = {name: value for name, value in environment.items() if name.startswith(f"SCRIBE_{table}_".upper())}
        _refuse_unknown(given, variables, "no setting is called")
        values[table] |= {variables[name]: value for name, value in given.items()}
    try:
        return TypeAdapter(CampusSettings).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        variable = "_".join(["SCRIBE", *map(str, first["loc"][:2])]).upper()
        source = variable if variable in environment else path
        raise UsageError(f"{source}: setting {where} = {first['input']!r}: {first['msg']}") from error


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"the settings file {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the settings file {path} is not valid TOML: {error}") from error


def _refuse_unknown(given: Iterable[str], valid: Collection[str], complaint: str) -> None:
    for name in given:
        if name not in valid:
            close = difflib.get_close_matches(name, list(valid), n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise UsageError(f"{complaint} {name!r}; {hint}valid are {', '.join(valid)}")
