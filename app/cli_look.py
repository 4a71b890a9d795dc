"""Commands that only look: students, reports, one tool call, and course bundles."""

import argparse
import json
import sys
from typing import Any

from app import build
from app import task as tasks
from app.cli import BAD_INPUT
from app.settings import Settings
from data import bundle
from data.course import Course, Student
from scribe.errors import UsageError
from scribe.trajectory import Call
from tools import grade_calculator
from tools.build import toolbox
from tools.embedder import SentenceEmbedder
from tools.index import Vault

MAKE = build.MakeBackend | None


def students(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """A table of the students: prediction, total so far, weeks that explain the prediction."""
    course = build.course(settings, arguments.course)
    rows = [_row(course, student) for student in course.students.values()]
    if arguments.json:
        for row in rows:
            print(json.dumps(row))
        return 0
    print(f"{course.title} ({course.id}): {len(rows)} simulated students\n")
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
    box = toolbox(course, student.id, Vault(SentenceEmbedder()))
    seen = box.call(Call(arguments.name, _object(arguments.args)))
    print(seen.content)
    return 0 if seen.ok else BAD_INPUT


def courses_list(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """The courses there are; 2 if one of them is broken."""
    folder = build.courses_folder(settings)
    found = bundle.available(folder)
    if not found:
        raise UsageError(f"there is no course in {folder}")
    broken = False
    for course_id in found:
        problems = bundle.check(folder / course_id)
        broken = broken or bool(problems)
        if problems:
            print(f"{course_id:<12}broken: `scribe courses check {folder / course_id}` says where")
        else:
            course = bundle.load(folder / course_id)
            done = f"{course.weeks_done} of {course.weeks} weeks passed"
            print(f"{course_id:<12}{course.title}, {done}, {len(course.students)} students")
    return BAD_INPUT if broken else 0


def courses_check(arguments: argparse.Namespace, settings: Settings, make: MAKE) -> int:
    """Every problem of a bundle with file, row and reason; 2 if there is one."""
    problems = bundle.check(arguments.path)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{arguments.path}: {len(problems)} problems", file=sys.stderr)
        return BAD_INPUT
    print(f"{arguments.path}: no problems")
    return 0


def _row(course: Course, student: Student) -> dict[str, Any]:
    grade = grade_calculator.make(course, student).run()
    return {
        "student": student.id,
        "predicted": student.predicted,
        "so_far": grade.get("so_far", "nothing graded"),
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
