"""Rubrics: what a criterion means, how to think it over, and the line that says the decision; one TOML file each."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from scribe.errors import UsageError

RUBRICS = Path(__file__).parent.parent / "rubrics"
"""Those that come with Scribe."""

_KEYS = ("title", "yes", "no", "steps", "decision")
_ID = re.compile(r"[a-z][a-z0-9_]*")
_LABEL = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)+")


@dataclass(frozen=True, slots=True)
class Rubric:
    """One criterion. `yes` and `no`: when which is right. `decision`: the words before the verdict in the last line."""

    id: str
    title: str
    yes: str
    no: str
    steps: tuple[str, ...]
    decision: str

    def line(self, verdict: str) -> str:
        """The exact line with which a judge ends, for example `FINAL DECISION: YES`."""
        return f"{self.decision}: {verdict}"


_FILE = TypeAdapter(dict[str, str | list[str]])


def load(folder: Path = RUBRICS, wanted: Sequence[str] = ()) -> tuple[Rubric, ...]:
    """The rubrics of a folder, those `wanted` in that order or all by name. Raises UsageError naming file and key."""
    there = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    if not there:
        raise UsageError(f"{folder} holds no rubric (*.toml); copy those in {RUBRICS} and change them")
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise UsageError(f"{folder} has no criterion {', '.join(unknown)}; it has {', '.join(there)}")
    return tuple(read(there[name]) for name in dict.fromkeys(wanted or there))


def read(path: Path) -> Rubric:
    """One rubric. Raises UsageError naming file and key."""
    if not _ID.fullmatch(path.stem):
        raise UsageError(f"{path}: a criterion's name is lower-case letters, digits and _; rename the file")
    try:
        content = _FILE.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read as TOML: {error}") from error
    except ValidationError as error:
        raise UsageError(f"{path}: {error.errors()[0]['loc'][0]} must be text, and steps a list of texts") from error
    return _checked(path, content)


def _checked(path: Path, content: dict[str, str | list[str]]) -> Rubric:
    unknown, missing = (
        [key for key in content if key not in _KEYS],
        [key for key in _KEYS if not "".join(content.get(key, "")).strip()],
    )
    if unknown:
        raise UsageError(f"{path}: there is no key {unknown[0]!r}; a rubric has {', '.join(_KEYS)}")
    if missing:
        raise UsageError(f"{path}: {missing[0]} is missing or empty; a rubric has {', '.join(_KEYS)}")
    steps = content.pop("steps")
    if not isinstance(steps, list) or not all(step.strip() for step in steps):
        raise UsageError(f"{path}: steps must be a list of texts, none of them empty")
    texts = {key: " ".join(value.split()) for key, value in content.items() if isinstance(value, str)}
    for key in (key for key in content if key not in texts):
        raise UsageError(f"{path}: {key} must be one text, not a list")
    if not _LABEL.fullmatch(texts["decision"]):
        # One word alone would turn up in any reasoning.
        raise UsageError(f'{path}: decision must be two or more words of plain letters, such as "FINAL DECISION"')
    return Rubric(path.stem, steps=tuple(" ".join(step.split()) for step in steps), **texts)
