"""Rubrics: what a criterion means, how to think it over, and the line that says the decision; one TOML file each."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scribe.errors import UsageError

RUBRICS = Path(__file__).parent.parent / "rubrics"
"""Those that come with Scribe."""

_TEXTS = ("title", "yes", "no", "decision")
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


def load(folder: Path = RUBRICS, wanted: Sequence[str] = ()) -> tuple[Rubric, ...]:
    """Load the rubrics of a folder, those `wanted` in that order or all by name.

    Raises UsageError naming file and key.
    """
    there = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    if not there:
        raise UsageError(f"{folder} holds no rubric (*.toml); copy those in {RUBRICS} and change them")
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise UsageError(f"{folder} has no criterion {', '.join(unknown)}; it has {', '.join(there)}")
    return tuple(_read(there[name]) for name in dict.fromkeys(wanted or there))


def _read(path: Path) -> Rubric:
    if not _ID.fullmatch(path.stem):
        raise UsageError(f"{path}: a criterion's name is lower-case letters, digits and _; rename the file")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read as TOML: {error}") from error
    keys = ", ".join((*_TEXTS, "steps"))
    if unknown := [key for key in content if key not in (*_TEXTS, "steps")]:
        raise UsageError(f"{path}: there is no key {unknown[0]!r}; a rubric has {keys}")
    texts = {key: _join_blanks(path, key, content.get(key, "")) for key in _TEXTS}
    steps = content.get("steps", [])
    if not isinstance(steps, list) or not all(isinstance(step, str) and step.strip() for step in steps):
        raise UsageError(f"{path}: steps must be a list of texts, none of them empty")
    if missing := [key for key, value in {**texts, "steps": steps}.items() if not value]:
        raise UsageError(f"{path}: {missing[0]} is missing or empty; a rubric has {keys}")
    if not _LABEL.fullmatch(texts["decision"]):
        # One word alone would turn up in any reasoning.
        raise UsageError(f'{path}: decision must be two or more words of plain letters, such as "FINAL DECISION"')
    return Rubric(path.stem, steps=tuple(" ".join(step.split()) for step in steps), **texts)


def _join_blanks(path: Path, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{path}: {key} must be one text")
    return " ".join(value.split())
