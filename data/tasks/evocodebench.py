"""EvoCodeBench's metadata as the beginning of tasks: what its fields say, in the words of our format.

| there | here |
|---|---|
| `namespace` | `id`, and the name in `target` |
| `completion_path` | the file in `target` |
| `requirement` (`Functionality`, `Arguments`) | `description` |
| `dependency` (`intra_class`, `intra_file`, `cross_file`) | dependency components; scope by `symbol` |
| `tests` | named in a comment: they are pytest's, of a whole repository |

Steps, wrong versions and French are not there: a teacher adds them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from data.bundle_files import Location, parse_entries, read_lines
from data.tasks.format import BrokenTask
from scribe.plumbing.files import write_text


class Requirement(BaseModel):
    """What the code shall do, and its arguments."""

    functionality: str = Field(alias="Functionality")
    arguments: str = Field(default="", alias="Arguments")


class DependencyNames(BaseModel):
    """Dotted names of what the reference uses."""

    intra_class: tuple[str, ...] = ()
    intra_file: tuple[str, ...] = ()
    cross_file: tuple[str, ...] = ()


class EvoCodeRow(BaseModel):
    """The fields of one row that we use; others are passed over."""

    model_config = ConfigDict(extra="ignore")

    namespace: str = Field(min_length=1)
    completion_path: str = Field(pattern=r"\.py$")
    requirement: Requirement
    dependency: DependencyNames
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """What a row says of a task; `dependencies` are the symbols that its components would have."""

    id: str
    target: str
    description: str
    dependencies: tuple[str, ...]
    tests: tuple[str, ...]


def read_metadata(path: Path) -> list[TaskDraft]:
    """A draft for each row of a `metadata.jsonl`; raises BrokenTask with line and key of all that does not fit."""
    place = Location([], path.name)
    rows = parse_entries(EvoCodeRow, read_lines(path.parent, place))
    if place.problems:
        raise BrokenTask(path, tuple(place.problems))
    return [map_row(row) for _, row in rows]


def map_row(row: EvoCodeRow) -> TaskDraft:
    """One row in our words."""
    module = find_module(row)
    needed = row.dependency
    near = (_locate_near(name, module) for name in (*needed.intra_class, *needed.intra_file))
    far = (_locate_far(name) for name in needed.cross_file)
    description = "\n".join(filter(None, (row.requirement.functionality, row.requirement.arguments)))
    return TaskDraft(
        id=re.sub(r"[^a-z0-9]+", "-", row.namespace.lower()).strip("-"),
        target=_locate_near(row.namespace, module),
        description=description,
        dependencies=tuple(dict.fromkeys((*near, *far))),
        tests=row.tests,
    )


def find_module(row: EvoCodeRow) -> tuple[str, ...]:
    """The dotted name of the target's module: the end of its path with which its namespace begins."""
    parts = tuple(row.completion_path.removesuffix(".py").split("/"))
    names = tuple(row.namespace.split("."))
    ends = (parts[start:] for start in range(len(parts)))
    return next((end for end in ends if names[: len(end)] == end), names[:-1])


def write_drafts(metadata: Path, out: Path) -> list[Path]:
    """A folder with a `task.toml` to complete for each row; one that exists is left alone. Returns those written."""
    written = []
    for draft in read_metadata(metadata):
        path = out / draft.id / "task.toml"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, render_draft(draft))
            written.append(path)
    return written


def render_draft(draft: TaskDraft) -> str:
    """The text of a `task.toml` with what is known; what a teacher must write is empty."""
    head = {"id": draft.id, "title": draft.target.partition("::")[2], "title_fr": ""}
    head |= {"description": draft.description, "description_fr": "", "target": draft.target}
    lines = [f"# Tests there: {name}" for name in draft.tests] + _pairs(head)
    for number, symbol in enumerate(draft.dependencies, start=1):
        lines += ["", "[[components]]"]
        lines += _pairs({"name": f"dependency-{number}", "kind": "dependency", "symbol": symbol})
        lines += _pairs({"text": "", "text_fr": "", "explains": [], "explains_fr": []})
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, str | Sequence[str]]) -> list[str]:
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]


def _locate_near(name: str, module: tuple[str, ...]) -> str:
    """A name of the target's own module."""
    return f"{'/'.join(module)}.py::{name.removeprefix('.'.join(module) + '.')}"


def _locate_far(name: str) -> str:
    """A name of another module, which ends before the first capital letter or else before the last part."""
    parts = name.split(".")
    end = next((number for number, part in enumerate(parts) if number and part[:1].isupper()), len(parts) - 1)
    return f"{'/'.join(parts[:end])}.py::{'.'.join(parts[end:])}"
