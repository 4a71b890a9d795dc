"""JSON files that describe a model."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scribe.errors import ModelFileError


def read_json(path: Path) -> Mapping[str, Any]:
    """The object in a JSON file. Raises ModelFileError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not readable ({error})") from error
    if not isinstance(data, dict):
        raise ModelFileError(f"{path}: it must hold a JSON object")
    return data
