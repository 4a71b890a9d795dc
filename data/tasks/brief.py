"""A task as a tutor is told of it, in the student's language."""

import ast

from data.tasks.format import CodingTask
from data.tasks.format import Language as Code
from scribe.tutor.session import ComponentBrief, Language, TaskBrief

CODES: dict[Language, Code] = {"English": "en", "French": "fr"}
"""What a task's texts call the languages of a session."""


def make_brief(task: CodingTask, language: Language = "English") -> TaskBrief:
    """The brief of a task; its context is the package as the student finds it, the target's file first."""
    code = CODES[language]
    components = tuple(
        ComponentBrief(each.name, each.kind, each.text_in(code), each.explains_in(code)) for each in task.components
    )
    return TaskBrief(
        task=task.id,
        title=task.title_in(code),
        description=task.description_in(code),
        target=task.target,
        stub=task.stub,
        context=join_package(task),
        components=components,
        language=language,
    )


def join_package(task: CodingTask) -> str:
    """The package's files, each under its path as a comment; those that only say what they are are left out."""
    names = sorted(task.package, key=lambda name: (name != task.target_file, name))
    return "\n\n".join(f"# {name}\n{task.package[name].strip()}" for name in names if _has_code(task.package[name]))


def _has_code(text: str) -> bool:
    """Whether there is more in a module than its docstring."""
    return any(not isinstance(node, ast.Expr) for node in ast.parse(text).body)
