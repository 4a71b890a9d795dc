"""Rubrics: what a criterion means, how to think it over, and the line that says the decision; one TOML file each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from eval.lines import describe_problem
from scribe.plumbing.errors import UsageError
from scribe.plumbing.toml_text import parse_toml

RUBRICS = Path(__file__).parent.parent / "rubrics"
"""Those that come with Scribe."""

_ID = re.compile(r"[a-z][a-z0-9_]*")

NOT_EMPTY = StringConstraints(strip_whitespace=True, min_length=1)
Text = Annotated[str, NOT_EMPTY, AfterValidator(lambda text: " ".join(text.split()))]
DecisionLabel = Annotated[Text, Field(pattern=r"^[A-Za-z]+( [A-Za-z]+)+$")]
"""Two or more words of plain letters: one alone would turn up in any reasoning."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """One criterion. `yes` and `no`: when which is right. `decision`: the words before the verdict in the last line."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    id: str
    title: Text
    yes: Text
    no: Text
    steps: Annotated[tuple[Text, ...], Field(min_length=1)]
    decision: DecisionLabel

    def line(self, verdict: str) -> str:
        """The exact line with which a judge ends, for example `FINAL DECISION: YES`."""
        return f"{self.decision}: {verdict}"


_RUBRIC = TypeAdapter(Rubric)


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
        return _RUBRIC.validate_python({**parse_toml(path.read_text(encoding="utf-8")), "id": path.stem})
    except ValidationError as error:
        keys = "title, yes, no, steps (a list of texts) and decision (two or more words of plain letters)"
        raise UsageError(f"{path}: {describe_problem(error)}; a rubric has {keys}") from error
    except (OSError, ValueError) as error:  # of TOML or UTF-8
        raise UsageError(f"{path} cannot be read as TOML: {error}") from error
