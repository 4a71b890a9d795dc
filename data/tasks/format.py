"""A programming task as frozen values: what must be known, the reference in parts, and the code that parts compose."""

import ast
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from data.course import BundleError, Problem

Language = Literal["en", "fr"]
Scope = Literal["intra_class", "intra_file", "cross_file"]

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Place = Annotated[str, StringConstraints(pattern=r"^[a-z_][\w/]*/\w+\.py::[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")]
"""A file of the package and a name in it: `shop/basket.py::Basket.total`."""


class BrokenTask(BundleError):
    """A task's folder cannot be used as it is; `problems` holds all that is wrong with it."""

    def __init__(self, folder: Path, problems: tuple[Problem, ...]) -> None:
        self.folder, self.problems = folder, problems
        super().__init__("\n  ".join((f"{folder} is not a usable task:", *map(str, problems))))


class KnowledgeComponent(BaseModel):
    """One thing that a student must know to write one part of the solution."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Slug
    kind: Literal["dependency", "step"]
    text: Words
    text_fr: Words
    explains: tuple[Words, ...]
    """Words that an explanation of it would contain."""
    explains_fr: tuple[Words, ...]
    symbol: Place | None = None
    """The code that a dependency uses."""

    def text_in(self, language: Language) -> str:
        """What must be known, in one sentence."""
        return self.text_fr if language == "fr" else self.text

    def explains_in(self, language: Language) -> tuple[str, ...]:
        """Words that an explanation would contain."""
        return self.explains_fr if language == "fr" else self.explains


class TaskText(BaseModel):
    """What `task.toml` says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Slug
    title: Words
    title_fr: Words
    description: Words
    description_fr: Words
    target: Place
    components: tuple[KnowledgeComponent, ...]

    def title_in(self, language: Language) -> str:
        """The title."""
        return self.title_fr if language == "fr" else self.title

    def description_in(self, language: Language) -> str:
        """What a student reads."""
        return self.description_fr if language == "fr" else self.description


@dataclass(frozen=True, slots=True)
class SolutionPiece:
    """Whole lines of the reference solution: one component's part, or, with no component, what stands between."""

    component: str
    text: str
    line: int


class CodingTask(TaskText):
    """A whole task.

    package: text of each file by its path, the target's body missing; pieces: the reference, in order;
    wrong: the wrong versions of each component's part; tests: text of `tests.py`.
    """

    package: Mapping[str, str]
    pieces: tuple[SolutionPiece, ...]
    wrong: Mapping[str, tuple[str, ...]]
    tests: str

    @property
    def target_file(self) -> str:
        """The file of the package in which the target stands."""
        return self.target.partition("::")[0]

    @property
    def target_name(self) -> str:
        """The target's name in its file, such as `Basket.total`."""
        return self.target.partition("::")[2]

    @property
    def stub(self) -> str:
        """The target as the student finds it, unindented."""
        first, last, _ = locate(self.package[self.target_file], self.target_name)
        return textwrap.dedent("".join(self.package[self.target_file].splitlines(keepends=True)[first:last]))

    @property
    def reference(self) -> str:
        """The whole target as the reference has it, unindented."""
        return self.compose({})

    @property
    def test_names(self) -> tuple[str, ...]:
        """The names of the test functions, in order."""
        found = (node.name for node in ast.parse(self.tests).body if isinstance(node, ast.FunctionDef))
        return tuple(name for name in found if name.startswith("test_"))

    def scope(self, component: KnowledgeComponent) -> Scope | None:
        """Where a dependency stands as seen from the target; None for a step."""
        if component.symbol is None:
            return None
        file, _, name = component.symbol.partition("::")
        if file != self.target_file:
            return "cross_file"
        owner = self.target_name.rpartition(".")[0]
        return "intra_class" if owner and name.startswith(f"{owner}.") else "intra_file"

    def part(self, component: str) -> str:
        """The right code of one component."""
        return next(piece.text for piece in self.pieces if piece.component == component)

    def compose(self, versions: Mapping[str, int]) -> str:
        """The target's code, unindented: for each component 0 is the right part, n ≥ 1 its n-th wrong version.

        A component that is not named is right. Raises KeyError for an unknown component, IndexError for a version.
        """
        unknown = versions.keys() - self.wrong.keys()
        if unknown:
            raise KeyError(f"task {self.id} has no component {min(unknown)!r}")
        return "".join(self._version(piece, versions.get(piece.component, 0)) for piece in self.pieces)

    def place(self, code: str) -> dict[str, str]:
        """All files of the package by path, with `code` in place of the target, whatever its indentation."""
        text = self.package[self.target_file]
        first, last, column = locate(text, self.target_name)
        lines = text.splitlines(keepends=True)
        put = textwrap.indent(textwrap.dedent(code).rstrip("\n") + "\n", " " * column)
        return {**self.package, self.target_file: "".join((*lines[:first], put, *lines[last:]))}

    def _version(self, piece: SolutionPiece, number: int) -> str:
        if number < 0:
            raise IndexError(f"versions count from 0, not {number}")
        return self.wrong[piece.component][number - 1] if number else piece.text


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def locate(text: str, name: str) -> tuple[int, int, int]:
    """First line (from 0, decorators included), line after the last, and column of a definition in a module.

    Raises LookupError if the module defines no such function, class or method.
    """
    node = find_definition(ast.parse(text), name)
    first = min((node.lineno, *(each.lineno for each in node.decorator_list)))
    return first - 1, node.end_lineno or node.lineno, node.col_offset


def find_definition(module: ast.Module, name: str) -> Definition:
    """The node of a function, class or method such as `Basket.total`; raises LookupError if there is none."""
    body: list[ast.stmt] = module.body
    found: Definition | None = None
    for part in name.split("."):
        found = next((each for each in body if isinstance(each, Definition) and each.name == part), None)
        if found is None:
            raise LookupError(f"no definition of {name!r}")
        body = found.body
    assert found is not None  # a split text has at least one part
    return found


def list_names(module: ast.Module) -> set[str]:
    """Every name that a module or its classes define, attributes that methods set on `self` included."""
    found = set[str]()
    for node in module.body:
        found |= _bound(node)
        if isinstance(node, ast.ClassDef):
            inner = {name for each in node.body for name in _bound(each)}
            inner |= {
                each.attr
                for each in ast.walk(node)
                if isinstance(each, ast.Attribute)
                and isinstance(each.ctx, ast.Store)
                and isinstance(each.value, ast.Name)
                and each.value.id == "self"
            }
            found |= {f"{node.name}.{name}" for name in inner}
    return found


def mentions(code: str, name: str) -> bool:
    """Whether a name stands in the code as a whole word."""
    return re.search(rf"\b{re.escape(name)}\b", code) is not None


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, Definition):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
