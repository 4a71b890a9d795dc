"""Which of a task's tests ask for a component: those that some wrong version of its part alone fails."""

from dataclasses import replace

from data.tasks.format import CodingTask
from eval.tutoring.programs.tester import ProgramTester
from scribe.tutor.session import TaskBrief


def name_tests(brief: TaskBrief, task: CodingTask, tester: ProgramTester) -> TaskBrief:
    """The brief whose components name their tests, which tutors may read results by. Raises SandboxMissing."""
    components = tuple(replace(each, tests=_find_tests(task, each.name, tester)) for each in brief.components)
    return replace(brief, components=components)


def _find_tests(task: CodingTask, component: str, tester: ProgramTester) -> tuple[str, ...]:
    versions = range(1, len(task.wrong[component]) + 1)
    results = (tester.examine(task, task.compose({component: version})) for version in versions)
    failed = {name for result in results for name in result.failed_names}
    return tuple(name for name in task.test_names if name in failed)
