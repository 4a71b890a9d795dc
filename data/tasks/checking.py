"""Checking tasks by running them: the reference passes every test, and each wrong version fails one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.course import Problem
from data.tasks.format import CodingTask, Scope
from scribe.sandbox.result import SuiteResult
from scribe.sandbox.running import run_suite

FEWEST_STEPS, MOST_STEPS = 5, 12
FEWEST_TESTS = 3
FEWEST_WORDS, MOST_WORDS = 2, 4
SCOPES: tuple[Scope, ...] = ("intra_class", "intra_file", "cross_file")


@dataclass(frozen=True, slots=True)
class CaughtVersion:
    """A wrong version of a component's part and the tests that fail because of it."""

    component: str
    number: int
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """What the check of one task found."""

    task: CodingTask
    caught: tuple[CaughtVersion, ...]
    problems: tuple[Problem, ...]


def check_task(task: CodingTask) -> TaskCheck:
    """Run the reference, the stub and each wrong version; raises SandboxMissing."""
    caught = tuple(
        CaughtVersion(name, number, run_code(task, task.compose({name: number})).failed_names)
        for name, versions in task.wrong.items()
        for number in range(1, len(versions) + 1)
    )
    passing = (
        Problem(f"wrong/{each.component}.{each.number}.txt", "", "passes every test, so none asks for this component")
        for each in caught
        if not each.tests
    )
    return TaskCheck(task, caught, (*_check_text(task), *_check_reference(task), *passing))


def run_code(task: CodingTask, code: str) -> SuiteResult:
    """The task's tests against a version of its target; raises SandboxMissing."""
    return run_suite(task.place(code), task.tests)


def check_set(tasks: Sequence[CodingTask]) -> tuple[Problem, ...]:
    """What is wrong with tasks taken together: a kind of dependency that none has, a title that two have."""
    present = {task.scope(component) for task in tasks for component in task.components}
    lacking = (Problem("the tasks", "", f"none has a dependency {scope}") for scope in SCOPES if scope not in present)
    titles = Counter(title for task in tasks for title in {task.title, task.title_fr})
    twice = (Problem("the tasks", title, "is the title of two") for title, number in titles.items() if number > 1)
    return (*lacking, *twice)


def _check_text(task: CodingTask) -> Iterator[Problem]:
    steps = len(task.components)
    if not FEWEST_STEPS <= steps <= MOST_STEPS:
        yield Problem("task.toml", "components", f"are {steps}, not {FEWEST_STEPS} to {MOST_STEPS}")
    if all(component.kind == "step" for component in task.components):
        yield Problem("task.toml", "components", "none is a dependency")
    if len(task.test_names) < FEWEST_TESTS:
        yield Problem("tests.py", "", f"has {len(task.test_names)} tests, not at least {FEWEST_TESTS}")
    if task.description == task.description_fr:
        yield Problem("task.toml", "description_fr", "is the English text")
    for component in task.components:
        place = f"components {component.name}"
        if component.text == component.text_fr:
            yield Problem("task.toml", f"{place} text_fr", "is the English text")
        for key, words in (("explains", component.explains), ("explains_fr", component.explains_fr)):
            if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
                yield Problem("task.toml", f"{place} {key}", f"has {len(words)}, not {FEWEST_WORDS} to {MOST_WORDS}")


def _check_reference(task: CodingTask) -> Iterator[Problem]:
    for case in run_code(task, task.reference).cases:
        if not case.passed:
            said = f"{case.reason} {case.message}".strip()
            yield Problem("tests.py", case.name, f"the reference does not pass it: {said}")
    for case in run_code(task, task.stub).cases:
        if case.passed:
            yield Problem("tests.py", case.name, "passes although the target is missing")
