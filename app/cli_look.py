"""Commands that only look: students, reports, one tool call."""

import argparse
import json
from typing import Any

from app import build
from app import task as tasks
from app.cli import BAD_INPUT
from app.settings import Settings
from data.course import Course, Student
from data.standing import standing
from scribe.errors import UsageError
from scribe.trajectory import Call
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

MAKE = build.MakeBackend | None


def students(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """A table of the students: prediction, total so far, weeks that explain the prediction."""
    course = build.course(settings, arguments.course)
    rows = [_row(course, student) for student in course.students.values()]
    if arguments.json:
        for row in rows:
            print(json.dumps(row))
        return 0
    print(f"{course.title} ({course.id}): {len(rows)} students\n")
    print(f"{'student':<10}{'predicted':<11}{'grade so far':<20}weeks explained")
    for row in rows:
        print(f"{row['student']:<10}{row['predicted']:<11}{row['so_far']:<20}{row['weeks_explained']}")
    return 0


def report(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """The student's report, as Markdown."""
    course = build.course(settings, arguments.course)
    student = build.student(course, arguments.student)
    print(tasks.report(student, arguments.theory or settings.courses.theory))
    return 0


def tool(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """What one tool says to these arguments, as the model would read it; 2 if it refuses them."""
    course = build.course(settings, arguments.course)
    student = build.student(course, arguments.student)
    box = make_toolbox(course, student.id, VectorStore(build.embedder(settings)), web=build.web(settings))
    seen = box.call(Call(arguments.name, _object(arguments.args)))
    print(seen.content)
    return 0 if seen.ok else BAD_INPUT


def _row(course: Course, student: Student) -> dict[str, Any]:
    found = standing(course, student)
    earned, graded = found.shown
    return {
        "student": student.id,
        "predicted": student.predicted,
        "so_far": f"{earned} of {graded} percent" if found.graded else "nothing graded",
        "weeks_explained": len({each.week for each in student.importances}),
    }


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--args is not valid JSON ({error}); write e.g. '{{\"week\": 6}}'") from error
    if not isinstance(found, dict):
        raise UsageError("--args must be a JSON object, e.g. '{\"week\": 6}'")
    return found
