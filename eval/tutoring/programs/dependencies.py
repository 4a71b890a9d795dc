"""Which of a task's dependencies a program uses: the recall of Recall@k."""

import ast
import textwrap

from data.tasks.format import CodingTask

_OWNERS = {"self", "cls"}


def list_references(task: CodingTask) -> tuple[str, ...]:
    """The symbols that the reference solution depends on, each once, in order."""
    return tuple(dict.fromkeys(each.symbol for each in task.components if each.symbol is not None))


def find_used(task: CodingTask, code: str) -> frozenset[str]:
    """The reference's symbols that a program for the target uses; none of what is no Python.

    The paper asks Pyan for the calls of a whole repository. A program here is one function, so its names are looked
    up directly: a function or class by name, a method or attribute of the target's own class on `self`, `cls` or the
    class, any other method by its name on whatever it is called.
    """
    try:
        tree = ast.parse(textwrap.dedent(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(symbol for symbol in list_references(task) if _uses(task, tree, symbol))


def measure_recall(task: CodingTask, code: str) -> float:
    """|R ∩ P| / |R|: the share of the reference's symbols that a program uses (the paper's equation 4, inside)."""
    return len(find_used(task, code)) / len(list_references(task))


def _uses(task: CodingTask, tree: ast.Module, symbol: str) -> bool:
    owner, _, name = symbol.partition("::")[2].rpartition(".")
    if not owner:
        return any(_is_named(node, name) for node in ast.walk(tree))
    file, mine = symbol.partition("::")[0], task.target_name.rpartition(".")[0]
    holders = {*_OWNERS, owner} if owner == mine and file == task.target_file else None
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == name
        and (holders is None or (isinstance(node.value, ast.Name) and node.value.id in holders))
        for node in ast.walk(tree)
    )


def _is_named(node: ast.AST, name: str) -> bool:
    """Whether a node reads a name, alone or behind its module."""
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)
