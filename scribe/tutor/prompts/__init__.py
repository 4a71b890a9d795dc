"""What a tutor's model is told, read from the files beside this one; the wording is ours."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def text(name: str) -> str:
    """The prompt file of this name, e.g. `rules.md`, without its last newline."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").rstrip("\n")


@cache
def part(name: str) -> str:
    """A short text of parts.toml. Raises KeyError for an unknown name."""
    return str(tomllib.loads(text("parts.toml"))[name]).strip()
