"""Course bundles: find them, check them, load them, with or without students.

A folder under `COURSES` that a person can edit: course.toml, topics.toml (weeks, what builds on what), schedule.toml
(optional, see `data.schedule`), syllabus.md ("## Title"), syllabus.en.md (optional), textbook/*.md ("## 5.3 Title",
if any), exercises.jsonl, and what a build writes: five tables (see `bundle_cohort`) and reports/<student>.<theory>.md.
"""

import dataclasses
import difflib
from pathlib import Path

from data.bundle_cohort import TABLES, read_students
from data.bundle_files import Location, read_toml
from data.bundle_material import read_material
from data.course import BrokenBundle, BundleError, Course, Problem
from data.schedule import FILE as SCHEDULE
from data.schedule import Schedule, read_schedule

COURSES = Path(__file__).with_name("courses")


def load(folder: Path) -> Course:
    """Read a whole bundle; raises BrokenBundle, which holds every problem and lists the first few."""
    course, problems = _read(folder)
    if course is None or problems:
        raise BrokenBundle(folder, tuple(problems))
    return course


def check(folder: Path) -> list[Problem]:
    """Everything that is wrong with a bundle; empty when it can be loaded."""
    return _read(folder)[1]


def load_material(folder: Path) -> tuple[Course, Schedule]:
    """Read a course without its students, and its schedule; raises BrokenBundle with every problem of either."""
    bundle = Location([])
    course, schedule = None, None
    if bundle.within(folder.name).require(folder.is_dir(), "there is no such folder"):
        course, schedule = read_material(folder, bundle), read_schedule(folder, bundle)
    if course is not None and schedule is not None:
        same = f"is {schedule.weeks}, but course.toml says the course has {course.weeks} weeks"
        bundle.within(SCHEDULE).at("weeks").require(schedule.weeks == course.weeks, same)
    if course is None or schedule is None or bundle.problems:
        raise BrokenBundle(folder, tuple(bundle.problems), shown=20)
    return course, schedule


def has_students(folder: Path) -> bool:
    """Whether a build has ever written here; if not, there is only material."""
    return any((folder / table.name).exists() for table in TABLES)


def list_courses(root: Path = COURSES) -> tuple[str, ...]:
    """The ids of the courses under `root`, broken ones included; an id is its folder's name."""
    return tuple(sorted(path.parent.name for path in root.glob("*/course.toml")))


def find(name: str, root: Path = COURSES) -> Course:
    """Load the course of this id or alias, capitals and punctuation ignored. Raises BundleError unless there is one."""
    if not root.is_dir():
        raise BundleError(f"there is no folder of courses {root}; set [courses] folder to where they lie")
    spellings = {course_id: _list_spellings(root / course_id) for course_id in list_courses(root)}
    hits = [course_id for course_id, known in spellings.items() if _normalize(name) in known]
    exact = [course_id for course_id in hits if course_id == name]
    if len(exact or hits) > 1:
        raise BundleError(f"{name!r} may mean any of the courses {', '.join(hits)}; use one of these ids")
    if not hits:
        close = difflib.get_close_matches(name, spellings, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise BundleError(f"no course is called {name!r}; {hint}there are: {', '.join(spellings) or 'none'}")
    return load(root / (exact or hits)[0])


def _read(folder: Path) -> tuple[Course | None, list[Problem]]:
    bundle = Location([])
    if not bundle.within(folder.name).require(folder.is_dir(), "there is no such folder"):
        return None, bundle.problems
    course = read_material(folder, bundle)
    if (folder / SCHEDULE).exists():  # only the pipeline from event logs needs it
        read_schedule(folder, bundle)
    if course is not None:
        course = dataclasses.replace(course, students=read_students(folder, course, bundle))
    return course, bundle.problems


def _list_spellings(folder: Path) -> set[str]:
    """How a course may be called, by its id alone if course.toml is broken (`load` then says how)."""
    head = read_toml(folder, Location([], "course.toml")) or {}
    aliases = head.get("aliases", [])
    names = [folder.name, head.get("title"), *(aliases if isinstance(aliases, list) else [])]
    return {_normalize(name) for name in names if isinstance(name, str)}


def _normalize(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
