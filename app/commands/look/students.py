"""`scribe students`: the students of a course, and what is known of each."""

import argparse
import json
from typing import Any

from app.commands.arguments import add_course
from data.course import Course, Student
from data.standing import standing
from tools.assembly.assistant import find_course
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_course(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each student")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
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


def _describe_student(course: Course, student: Student) -> dict[str, Any]:
    found = standing(course, student)
    earned, graded = found.shown
    return {
        "student": student.id,
        "predicted": student.predicted,
        "so_far": f"{earned} of {graded} percent" if found.graded else "nothing graded",
        "weeks_explained": len({each.week for each in student.importances}),
    }
