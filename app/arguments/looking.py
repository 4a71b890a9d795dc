"""`scribe students` and `scribe tool`."""

from typing import Any

from app.arguments.shared import add_student, command


def add(commands: Any) -> None:
    """What can be looked at without a model."""
    students = command(commands, "students", "list the students of a course", "cli_look:students")
    students.add_argument("--course", help="id or alias of the course")
    students.add_argument("--json", action="store_true", help="one line of JSON for each student")
    tool = command(commands, "tool", "call one tool, as the model would", "cli_look:tool")
    tool.add_argument("name", metavar="NAME")
    add_student(tool)
    tool.add_argument("--args", default="{}", metavar="JSON", help="""arguments, e.g. '{"week": 6}'""")
