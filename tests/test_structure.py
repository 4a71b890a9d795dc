"""The house: who imports whom, how large files are, what they are called, and that packages are ours."""

import ast
import importlib
import re
import statistics
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from app import cli

ROOT = Path(__file__).parent.parent
MAY_IMPORT: dict[str, set[str]] = {
    "scribe": set(),
    "data": {"scribe"},
    "tools": {"scribe", "data"},
    "eval": {"scribe", "data", "tools"},
    "finetune": {"scribe", "data", "tools", "eval"},
    "app": {"scribe", "data", "tools", "eval", "finetune"},
}
LONGEST, MEDIAN = 300, 150
IN_A_FOLDER = 15
BUDGET = {"scribe": 8712, "data": 8520, "tools": 2410, "eval": 9600, "finetune": 5817, "app": 10525}
"""Lines of source that a package may have. Only a person raises a number; whoever makes one smaller lowers it."""
FORBIDDEN = {"util", "helper", "common", "misc", "base", "manager", "handler", "processor", "mock"}


TASKS = ROOT / "data" / "tasks"
"""The folders in it are programming tasks: their code is material for students, none of ours."""


def sources(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    return [path for path in found if TASKS not in path.parents or path.parent == TASKS]


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in MAY_IMPORT
    for path in sources(package)
}
"""Every module of the six packages by its name."""


def own_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level name of each absolute import, wherever in the file it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, str(node.module).split(".")[0]


def tracked() -> list[Path]:
    """The files under version control; of an unpacked archive, those of the packages."""
    asked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if asked.returncode:
        return [path for package in (*MAY_IMPORT, "tests") for path in (ROOT / package).rglob("*.*")]
    return [ROOT / name for name in asked.stdout.decode().split("\0") if name]


def test_what_is_called_python_is_python() -> None:
    for path in tracked():
        if path.suffix == ".py":
            ast.parse(path.read_text(encoding="utf-8"), str(path))


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_stands_below_it(package: str) -> None:
    closed = set(MAY_IMPORT) - MAY_IMPORT[package] - {package} | {"tests"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sources(package)
        for line, name in own_imports(path)
        if name in closed
    ]
    assert not wrong


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_is_ours_and_says_what_it_is(package: str) -> None:
    found = importlib.import_module(package).__file__
    assert found is not None, f"{package} has no __init__.py"
    assert Path(found).resolve() == (ROOT / package / "__init__.py").resolve()
    folders = {path.parent for path in sources(package)}
    silent = [
        str(folder.relative_to(ROOT))
        for folder in folders
        if not ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    ]
    assert not silent


def test_files_stay_short() -> None:
    sizes = {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for package in (*MAY_IMPORT, "tests")
        for path in sources(package)
    }
    assert not [f"{path.relative_to(ROOT)}: {size}" for path, size in sizes.items() if size > LONGEST]
    ours = [size for path, size in sizes.items() if size and "tests" not in path.relative_to(ROOT).parts]
    assert statistics.median(ours) <= MEDIAN


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_keeps_within_its_budget_of_lines(package: str) -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in sources(package))
    assert lines <= BUDGET[package]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_folder_holds_what_a_reader_can_survey(package: str) -> None:
    counted = Counter(path.parent for path in sources(package))
    assert not {str(folder.relative_to(ROOT)): n for folder, n in counted.items() if n > IN_A_FOLDER + 1}  # __init__


def test_folders_use_each_other_in_one_direction() -> None:
    folders: dict[str, set[str]] = defaultdict(set)
    for name, others in imports().items():
        folders[MODULES[name].parent.as_posix()] |= {MODULES[other].parent.as_posix() for other in others}
    graph = {folder: others - {folder} for folder, others in folders.items()}
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names a circle


def test_a_class_name_stands_once() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for package in MAY_IMPORT:
        for path in sources(package):
            for name in classes(path):
                found[name].append(str(path.relative_to(ROOT)))
    assert not {name: where for name, where in found.items() if len(where) > 1}


def test_every_module_is_reached_by_a_command() -> None:
    reached = {name for name, path in MODULES.items() if path.name == "__main__.py" or has_main(path)}
    reached |= {name for name in MODULES if name.startswith("app.store.migrations.")}  # Alembic runs them by path
    reached |= {"app.cli", *(f"app.commands.{cli.locate_module(name)}" for name in cli.COMMANDS)}
    waiting = list(reached)
    graph = imports()
    while waiting:
        new = graph[waiting.pop()] - reached
        reached |= new
        waiting += new
    assert not {name for name, path in MODULES.items() if path.name != "__init__.py"} - reached


def test_no_lower_package_speaks_of_the_app() -> None:
    names = re.compile(r"\bapp\.[a-z_]+")
    lower = [path for package in MAY_IMPORT if package != "app" for path in sources(package)]
    assert not [str(path.relative_to(ROOT)) for path in lower if names.search(path.read_text(encoding="utf-8"))]


def test_names_say_what_a_file_or_a_class_is_for() -> None:
    named = [
        (str(path.relative_to(ROOT)), name)
        for package in (*MAY_IMPORT, "tests")
        for path in sources(package)
        for name in (path.stem, *classes(path))
    ]
    assert not [(path, name) for path, name in named if words(name) & FORBIDDEN]


def imports() -> dict[str, set[str]]:
    """Which modules of ours each module of ours imports or names in a string, wherever in the file it stands."""
    found: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        said: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                said |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                said |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
                said.add(node.value)
        found[name] = (said & MODULES.keys()) - {name}
    return found


def has_main(path: Path) -> bool:
    return 'if __name__ == "__main__"' in path.read_text(encoding="utf-8")


def classes(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def words(name: str) -> set[str]:
    """The words of snake_case and CamelCase names, in the singular."""
    return {word.lower().removesuffix("s") for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)}


def test_no_tracked_file_knows_the_machine_it_was_written_on() -> None:
    here = re.compile(rb"(?<![\w.])/(?:wor" + rb"k|roo" + rb"t|hom" + rb"e/[a-z])/?\w*/")
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in tracked()
        if path.is_file() and b"\0" not in (text := path.read_bytes()) and (match := here.search(text))
    ]
    assert not found
