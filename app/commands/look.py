"""`scribe students` and `scribe tool`: what can be looked at without a model."""

import argparse
import json
from textwrap import shorten
from typing import Any

from app.commands import BAD_INPUT
from app.commands.arguments import add_course, add_student
from data.course import Course, Student
from data.standing import standing
from scribe.plumbing.errors import UsageError
from scribe.trajectory import Call
from tools.assembly.assistant import find_course, find_student
from tools.assembly.model import MakeBackend, make_embedder, make_web_search
from tools.assembly.settings import AssistantSettings
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


def add_students_arguments(parser: argparse.ArgumentParser) -> None:
    add_course(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each student")
    parser.set_defaults(run=run_students)


def add_tool_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    add_student(parser)
    parser.add_argument("--args", default="{}", metavar="JSON", help="""arguments, e.g. '{"week": 6}'""")
    parser.set_defaults(run=run_tool)


def run_students(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    course = find_course(settings, arguments.course)
    rows = [_describe_student(course, student) for student in course.students.values()]
    if arguments.json:
        for row in rows:
            print(json.dumps(row))
        return 0
    print(f"{course.title} ({course.id}): {len(rows)} students\n")
    print(f"{'student':<10}{'predicted':<11}{'grade so far':<20}weeks explained")
    for row in rows:
        print(f"{row['student']:<10}{row['predicted']:<11}{row['so_far']:<20}{row['weeks_explained']}")
    return 0


def run_tool(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """What one tool says to these arguments, as the model would read it; 2 if it refuses them."""
    course = find_course(settings, arguments.course)
    student = find_student(course, arguments.student)
    box = make_toolbox(course, student.id, VectorStore(make_embedder(settings)), web=make_web_search(settings))
    seen = box.call(Call(arguments.name, _parse_object(arguments.args)))
    print(seen.content)
    return 0 if seen.ok else BAD_INPUT


def _describe_student(course: Course, student: Student) -> dict[str, Any]:
    found = standing(course, student)
    earned, graded = found.shown
    return {
        "student": student.id,
        "predicted": student.predicted,
        "so_far": f"{earned} of {graded} percent" if found.graded else "nothing graded",
        "weeks_explained": len({each.week for each in student.importances}),
    }


def _parse_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(f"--args {shorten(text, 80)} is no JSON object; write e.g. '{{\"week\": 6}}'")
    return found
