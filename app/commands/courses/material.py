"""`scribe courses list`, `check` and `new`: which courses there are, whether they are right, and a new one."""

import argparse
import sys
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

from app.commands import BAD_INPUT
from data import bundle
from data.build.staging import explain_left_behind, find_unfinished
from data.course import BrokenBundle, BundleError, Problem
from scribe.errors import UsageError
from tools.assembly.assistant import locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def run_list(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    folder = locate_courses(settings)
    _tell_left_behind(find_unfinished(folder))
    found = bundle.list_courses(folder)
    if not found:
        raise UsageError(f"there is no course in {folder}; `scribe courses new NAME` writes one to fill in")
    lines = [_describe(folder / course_id) for course_id in found]
    for course_id, (line, _) in zip(found, lines, strict=True):
        print(f"{course_id:<12}{line}")
    return 0 if all(right for _, right in lines) else BAD_INPUT


def _describe(folder: Path) -> tuple[str, bool]:
    try:
        if not bundle.has_students(folder):
            course, _ = bundle.load_material(folder)
            return f"{course.title}, no students yet: `scribe courses build --course {folder}` adds them", True
        course = bundle.load(folder)
    except BrokenBundle:
        return f"broken: `scribe courses check {folder}` says where", False
    done = f"{course.weeks_done} of {course.weeks} weeks passed"
    return f"{course.title}, {done}, {len(course.students)} students", True


def run_check(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    named = locate_courses(settings) / arguments.course
    _tell_left_behind(dict.fromkeys([Path(arguments.course).resolve(), named.resolve()]))
    folder = locate_course(arguments.course, settings)
    complete = bundle.has_students(folder) or not (folder / "course.toml").exists()
    problems = bundle.check(folder) if complete else _check_material(folder)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{folder}: {len(problems)} problem{'s' if len(problems) > 1 else ''}", file=sys.stderr)
        return BAD_INPUT
    print(f"{folder}: no problems" + ("" if complete else " in the material; there are no students yet"))
    return 0


def locate_course(course: str, settings: AssistantSettings) -> Path:
    """The folder that a path or the name of a course means; raises BundleError if there is none."""
    path, named = Path(course), locate_courses(settings) / course
    for folder in (path, named):
        if (folder / "course.toml").exists():
            return folder
    if path.is_dir():
        return path
    raise BundleError(f"{course}: is neither a course's folder nor the name of one in {named.parent}")


def _tell_left_behind(targets: Iterable[Path]) -> None:
    """Say what builds that were killed have left beside these bundles."""
    for words in filter(None, map(explain_left_behind, targets)):
        print(words, file=sys.stderr)


def _check_material(folder: Path) -> list[Problem]:
    try:
        bundle.load_material(folder)
    except BrokenBundle as error:
        return list(error.problems)
    return []


def run_new(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    from data.scaffold.write import new_course

    courses: Path = arguments.folder or locate_courses(settings)
    folder = courses / arguments.name
    next_monday = date.today() + timedelta(days=7 - date.today().weekday())
    for path in new_course(arguments.name, courses, next_monday, arguments.language, arguments.weeks):
        print(path)
    print(f"""
Fill these in; the comments say how. Then:
  scribe courses check {folder}
  scribe courses build --course {folder} --events LOG… --grades grades.csv \\
      --past-events LOG… --past-outcomes outcomes.csv""")
    return 0
