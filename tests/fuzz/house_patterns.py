"""Every regular expression of the house: those that its modules hold, and those written where they are used."""

import ast
import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("scribe", "data", "tools", "eval", "finetune", "app")
ALONE = ("data.tasks.", "app.store.migrations.")
"""What students and teachers write, and what Alembic runs by its path."""
_Cached = functools._lru_cache_wrapper
METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "split", "compile")


def list_modules() -> Iterator[str]:
    """The names of all modules of the six packages but those that are commands."""
    for package in PACKAGES:
        path = [str(ROOT / package)]
        for found in pkgutil.walk_packages(path, f"{package}."):
            if not found.name.endswith("__main__") and not found.name.startswith(ALONE):
                yield found.name


@dataclass(frozen=True, slots=True)
class HousePattern:
    """A pattern, where it stands (`module:name` or `module:line`), and whether it is only held against beginnings."""

    place: str
    pattern: "re.Pattern[str]"
    anchored: bool


@functools.cache
def list_patterns() -> tuple[HousePattern, ...]:
    """Each pattern once, by the first place where it stands."""
    found: dict[tuple[str, int], HousePattern] = {}
    for name in list_modules():
        module = importlib.import_module(name)
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        held = [(word, each) for word, value in vars(module).items() for each in _dig(value)]
        for word, each in held:
            uses = set(re.findall(rf"\b{re.escape(word)}\.(\w+)\(", source)) & set(METHODS)
            _note(found, HousePattern(f"{name}:{word}", each, bool(uses) and uses <= {"match", "fullmatch"}))
        for line, method, each in _read_calls(source):
            if method != "compile" or (each.pattern, each.flags) not in found:  # what a module holds was noted above
                _note(found, HousePattern(f"{name}:{line}", each, method in ("match", "fullmatch")))
    return tuple(found.values())


def _note(found: dict[tuple[str, int], HousePattern], each: HousePattern) -> None:
    key = each.pattern.pattern, each.pattern.flags
    known = found.get(key)
    if known is None or (known.anchored and not each.anchored):
        found[key] = each


def _dig(value: Any, depth: int = 4) -> Iterator["re.Pattern[str]"]:
    """The patterns in a value, in what it holds too."""
    if isinstance(value, re.Pattern):
        yield from [value] if isinstance(value.pattern, str) else []
    elif depth and isinstance(value, Mapping):
        for each in value.values():
            yield from _dig(each, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _dig(each, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _dig(getattr(value, each.name, None), depth - 1)
    elif depth and isinstance(value, _Cached) and not value.__wrapped__.__code__.co_argcount:
        yield from _dig(value(), depth - 1)


def _read_calls(source: str) -> Iterator[tuple[int, str, "re.Pattern[str]"]]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        owner, first = node.func.value, node.args[0]
        if not isinstance(owner, ast.Name) or owner.id != "re" or node.func.attr not in METHODS:
            continue
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            said = [name for name in ("IGNORECASE", "DOTALL", "MULTILINE") if name in ast.unparse(node)]
            flags = re.RegexFlag(0)
            for name in said:
                flags |= re.RegexFlag[name]
            yield node.lineno, node.func.attr, re.compile(first.value, flags)
