"""What the questions' file says that answers do not repeat: each question's category, language, tools, arguments."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from scribe.errors import UsageError

Required = Mapping[str, int | str]
"""By an argument's name, what a call must give: this number, or a text that holds this one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """category: empty where it is not said. tools: acceptable first tools, "" for none; None where it is not said.

    arguments: what a call to a tool must give, by the tool's name. language: such as "fr"; empty where it is not said.
    """

    category: str = ""
    tools: tuple[str, ...] | None = None
    arguments: Mapping[str, Required] = field(default_factory=dict)
    language: str = ""


_ASKED = TypeAdapter(Asked)


def read(path: Path) -> dict[str, Asked]:
    """By id, from JSON lines such as `eval/student_questions.jsonl`. Raises UsageError naming file and line."""
    found = {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the questions {path} cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            id, asked = _asked(line, f"{path}:{number}")
            found[id] = asked
    return found


def _asked(line: str, where: str) -> tuple[str, Asked]:
    try:
        data = json.loads(line)
        return str(data["id"]), _ASKED.validate_python(data)
    except (KeyError, TypeError):
        raise UsageError(f'{where}: a question needs an "id"') from None
    except (ValidationError, ValueError) as error:
        raise UsageError(f"{where}: {' '.join(str(error).split())[:160]}") from error
