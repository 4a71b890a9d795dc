"""`scribe tasks …`: list and check programming tasks, and begin some from EvoCodeBench."""

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.commands import BAD_INPUT
from app.commands.arguments import add_subcommand, parse_count
from data.course import Problem
from data.tasks.checking import SCOPES, TaskCheck, check_set, check_task
from data.tasks.evocodebench import write_drafts
from data.tasks.format import BrokenTask, CodingTask
from data.tasks.reading import find_task, list_tasks
from scribe.plumbing.errors import UsageError
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The commands on programming tasks."""
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    listed = add_subcommand(under, "list", "list the programming tasks there are", run_list)
    listed.add_argument("--language", choices=("en", "fr"), default="en", help="of the titles (default: en)")
    check = add_subcommand(under, "check", "run each reference and each wrong version in the sandbox", run_check)
    check.add_argument("tasks", nargs="*", metavar="FOLDER_OR_ID", help="which (default: all, and as a set)")
    check.add_argument("--workers", type=parse_count, default=2, metavar="N", help="at a time (default: 2)")
    begin = add_subcommand(under, "import", "begin tasks from EvoCodeBench's metadata", run_import)
    begin.add_argument("metadata", type=Path, metavar="JSONL", help="its metadata.jsonl")
    begin.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write drafts to")


def run_list(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Id, how much there is of it, and title of each task."""
    print(f"{'task':<26}{'components':<12}{'tests':<7}title")
    for name in list_tasks():
        task = find_task(name)
        title = task.title_in(arguments.language)
        print(f"{name:<26}{len(task.components):<12}{len(task.test_names):<7}{title}")
    return 0


def run_check(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """What is wrong with tasks; for those that are named, also which test fails for each wrong version."""
    names = arguments.tasks or list_tasks()
    if not names:
        raise UsageError("there are no tasks")
    wrong, tasks = 0, list[CodingTask]()
    for name in names:
        try:
            tasks.append(find_task(name))
        except BrokenTask as error:
            print(f"{name}: cannot be read")
            wrong += _print_problems(error.problems)
    with ThreadPoolExecutor(arguments.workers) as pool:
        for check in pool.map(check_task, tasks):
            wrong += _print_check(check, bool(arguments.tasks))
    if not arguments.tasks:
        wrong += _print_problems(check_set(tasks))
    scopes = [task.scope(component) for task in tasks for component in task.components]
    counts = ", ".join(f"{scopes.count(scope)} {scope.replace('_', '-')}" for scope in SCOPES)
    print(f"{len(tasks)} tasks, {len(scopes)} components (dependencies: {counts}), {wrong} problems")
    return BAD_INPUT if wrong else 0


def run_import(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """A folder with a task.toml to complete for each row of the metadata."""
    written = write_drafts(arguments.metadata, arguments.out)
    print(f"{len(written)} drafts in {arguments.out}; data/tasks/README.md says what they lack")
    return 0


def _print_check(check: TaskCheck, whole: bool) -> int:
    task = check.task
    counts = f"{len(task.components)} components, {len(check.caught)} wrong versions, {len(task.test_names)} tests"
    print(f"{task.id}: {counts}")
    if whole:
        for each in check.caught:
            print(f"  {each.component}.{each.number} fails {', '.join(each.tests) or 'nothing'}")
    return _print_problems(check.problems)


def _print_problems(problems: tuple[Problem, ...]) -> int:
    for problem in problems:
        print(f"  {problem}")
    return len(problems)
