"""TOML that others wrote: one kind of error for whatever is wrong with it."""

import tomllib
from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """The table that a text is. Raises tomllib.TOMLDecodeError, also where brackets nest too deeply to be read."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise tomllib.TOMLDecodeError("brackets nest too deeply") from error
