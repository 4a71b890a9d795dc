"""Reading a task's folder; whatever is wrong with its files is said with file and line or key."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from data.bundle_files import Location, parse_entries, read_text, read_toml
from data.tasks.format import (
    BrokenTask,
    CodingTask,
    Definition,
    KnowledgeComponent,
    SolutionPiece,
    TaskText,
    find_definition,
    list_names,
    mentions,
)

TASKS = Path(__file__).parent
_MARKER = re.compile(r"\s*# <(?P<end>/?)(?P<name>[a-z0-9-]+)>\s*")
_WRONG = re.compile(r"(?P<name>[a-z0-9-]+)\.(?P<number>[1-9]\d*)\.txt")
_APART = {"tests.py", "solution.py"}


def list_tasks(folder: Path = TASKS) -> list[str]:
    """The ids of all tasks in a folder, sorted."""
    return sorted(path.parent.name for path in folder.glob("*/task.toml"))


def find_task(name: str, folder: Path = TASKS) -> CodingTask:
    """The task of this id, or in this folder; raises BrokenTask."""
    path = folder / name
    return read_task(path if path.is_dir() else Path(name))


def read_task(folder: Path) -> CodingTask:
    """The task in a folder; raises BrokenTask with every problem that its files have."""
    here = Location([])
    task = _read(folder, here)
    if task is None or here.problems:
        raise BrokenTask(folder, tuple(here.problems))
    return task


def split_solution(text: str, place: Location) -> tuple[SolutionPiece, ...]:
    """The pieces of a solution between its `# <name>` and `# </name>` lines; markers that do not pair are noted."""
    pieces, lines = list[SolutionPiece](), list[str]()
    inside, start = "", 1

    def close(after: int) -> None:
        nonlocal start
        if lines or inside:
            pieces.append(SolutionPiece(inside, "".join(lines), start))
        lines.clear()
        start = after

    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        marker = _MARKER.fullmatch(line.rstrip("\n"))
        if marker is None:
            lines.append(line)
            continue
        expected = inside if marker["end"] else ""
        found = marker["name"] if marker["end"] else inside
        here = place.at(f"line {number}")
        here.require(found == expected, f"{line.strip()!r} stands {f'inside {inside!r}' if inside else 'outside'}")
        close(number + 1)
        inside = "" if marker["end"] else marker["name"]
    place.at(f"line {start - 1}").require(not inside, f"the region {inside!r} is not closed")
    close(0)
    return tuple(pieces)


def _read(folder: Path, here: Location) -> CodingTask | None:
    place = here.within("task.toml")
    raw = read_toml(folder, place)
    read = parse_entries(TaskText, [(place, raw)]) if raw is not None else []
    solution, tests = (read_text(folder, here.within(name)) for name in ("solution.py", "tests.py"))
    if not read or solution is None or tests is None:
        return None
    text = read[0][1]
    place.at("id").require(text.id == folder.resolve().name, f"is {text.id!r}, but the folder is {folder.name!r}")
    pieces = split_solution(solution, here.within("solution.py"))
    task = CodingTask(
        **dict(text),
        package=dict(_read_package(folder, here)),
        pieces=pieces,
        wrong=_read_wrong(folder, text.components, here),
        tests=tests if tests.endswith("\n") else f"{tests}\n",
    )
    if _parses(task, here) and not here.problems:
        _check_components(task, here)
        _check_target(task, here)
    return task


def _read_package(folder: Path, here: Location) -> Iterator[tuple[str, str]]:
    """Text of each Python file that stands in a folder of the task."""
    for path in sorted(folder.glob("*/**/*.py")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith("wrong/"):  # what does not belong there is noted with the wrong versions
            text = read_text(folder, here.within(name))
            yield name, text or ""
    for path in folder.glob("*.py"):
        here.within(path.name).require(path.name in _APART, "does not belong here; the package is a folder")


def _read_wrong(folder: Path, components: tuple[KnowledgeComponent, ...], here: Location) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[int, str]] = {component.name: {} for component in components}
    for path in sorted((folder / "wrong").glob("*")):
        place = here.within(f"wrong/{path.name}")
        named = _WRONG.fullmatch(path.name)
        if named is None or named["name"] not in found:
            place.note("is not called COMPONENT.NUMBER.txt after a component of task.toml")
            continue
        text = read_text(folder, place) or ""
        found[named["name"]][int(named["number"])] = text if not text or text.endswith("\n") else f"{text}\n"
    for name, versions in found.items():
        place = here.within(f"wrong/{name}.1.txt")
        place.require(sorted(versions) == list(range(1, len(versions) + 1)), f"versions are {sorted(versions)}")
        place.require(bool(versions), "the file is missing; each component has at least one wrong version")
    return {name: tuple(text for _, text in sorted(versions.items())) for name, versions in found.items()}


def _parses(task: CodingTask, here: Location) -> bool:
    texts = {**task.package, "tests.py": task.tests, "solution.py": "".join(piece.text for piece in task.pieces)}
    parsed = {name: _parse(text, here.within(name)) for name, text in texts.items()}
    place = here.within("task.toml").at("target")
    return place.require(task.target_file in parsed, f"no file {task.target_file}") and all(parsed.values())


def _check_components(task: CodingTask, here: Location) -> None:
    regions = [piece.component for piece in task.pieces if piece.component]
    names = [component.name for component in task.components]
    here.within("solution.py").require(
        regions == names, f"its regions are {', '.join(regions)}; task.toml has the components {', '.join(names)}"
    )
    for number, component in enumerate(task.components, start=1):
        place = here.within("task.toml").at(f"components {number} {component.name}")
        if component.symbol is None:
            place.require(component.kind == "step", "a dependency needs a symbol, such as 'shop/basket.py::Basket.add'")
            continue
        place.require(component.kind == "dependency", "a step has no symbol")
        file, _, name = component.symbol.partition("::")
        if place.require(file in task.package, f"symbol: no file {file}"):
            place.require(name in list_names(ast.parse(task.package[file])), f"symbol: {file} does not define {name}")
        last = name.rpartition(".")[2]
        if component.name in regions:
            place.require(mentions(task.part(component.name), last), f"symbol: its part does not use {last}")
    _check_wrong(task, here, {name: 1 for name in names if name in regions})


def _check_wrong(task: CodingTask, here: Location, first: Mapping[str, int]) -> None:
    """Each wrong version parses in place, alone, and the first ones all together."""
    for name in first:
        for number, text in enumerate(task.wrong[name], start=1):
            place = here.within(f"wrong/{name}.{number}.txt")
            place.require(text != task.part(name), "is the right part")
            _parse(task.compose({name: number}), place)
    if not here.problems:
        _parse(task.compose(first), here.within("wrong"))


def _check_target(task: CodingTask, here: Location) -> None:
    """The target stands in the package with no body, and the solution has the same head."""
    place = here.within(task.target_file).at(task.target_name)
    reference = ast.parse(task.reference).body
    try:
        stub = find_definition(ast.parse(task.package[task.target_file]), task.target_name)
    except LookupError as error:
        return place.note(str(error))
    last = ast.unparse(stub.body[-1])
    place.require(last == "raise NotImplementedError", f"its body ends with {last!r}, not 'raise NotImplementedError'")
    solution = here.within("solution.py")
    if solution.require(len(reference) == 1 and isinstance(reference[0], Definition), "holds more than one definition"):
        heads = _head(stub), _head(reference[0])
        solution.at("line 1").require(heads[0] == heads[1], f"its head is {heads[1]!r}, the package has {heads[0]!r}")
    return None


def _head(node: ast.stmt) -> str:
    """A definition without its body."""
    assert isinstance(node, Definition)
    names = [ast.unparse(each) for each in node.decorator_list]
    arguments = "" if isinstance(node, ast.ClassDef) else ast.unparse(node.args)
    return " ".join((*names, f"{node.name}({arguments})"))


def _parse(text: str, place: Location) -> bool:
    try:
        ast.parse(text)
    except SyntaxError as error:
        place.at(f"line {error.lineno}").note(f"is not valid Python: {error.msg}")
        return False
    return True
