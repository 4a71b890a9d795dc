"""The prompt texts, read from the files beside this one."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def text(name: str) -> str:
    """The prompt file of this name, e.g. `system.md`, without its last newline."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").rstrip("\n")


@cache
def _notices() -> dict[str, str]:
    return {name: str(value) for name, value in tomllib.loads(text("notices.toml")).items()}


def notice(name: str, **values: object) -> str:
    """A notice of notices.toml with its slots filled. Raises KeyError for an unknown name."""
    return _notices()[name].format(**values)
