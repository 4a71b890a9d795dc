"""The course and its schedule as a build needs them: whole, and agreeing with each other."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

from data.build.staging import TABLES
from data.bundle_files import Place
from data.bundle_material import read_material
from data.course import BrokenBundle, BundleError, Course
from data.schedule import WEEK, Item, Schedule, read_schedule

EARLIER = 52 * WEEK


def read_course(folder: Path) -> tuple[Course, Schedule]:
    """The course without students, and its schedule; raises BrokenBundle with every problem of either."""
    course, schedule, place = _read(folder)
    if course is not None:
        place.within("course.toml").at("weeks_done").require(
            1 <= course.weeks_done < course.weeks,
            f"must be 1 to {course.weeks - 1}, not {course.weeks_done}: a report looks back on a week and ahead to one",
        )
    if course is None or schedule is None or place.problems:
        raise BrokenBundle(folder, tuple(place.problems), shown=20)
    return course, schedule


def check_material(folder: Path) -> Course:
    """A course that needs no students yet, and no week that is over. Raises BrokenBundle."""
    course, _, place = _read(folder)
    if course is None or place.problems:
        raise BrokenBundle(folder, tuple(place.problems), shown=20)
    return course


def has_students(folder: Path) -> bool:
    """Whether a build has ever written here; if not, there is only material."""
    return any((folder / name).exists() for name in TABLES)


def shifted(schedule: Schedule, start: date | None) -> Schedule:
    """The same schedule with week 1 beginning on the Monday `start`, or 52 weeks earlier.

    Times keep what the wall clock shows. Raises BundleError for another day of the week.
    """
    begins = schedule.wall(schedule.start)
    if start is not None and start.weekday():
        raise BundleError(f"the earlier run must start on a Monday; {start} is a {start:%A}")
    by = -EARLIER if start is None else datetime.combine(start, time()) - begins
    items = tuple(_moved(item, schedule, by) for item in schedule.items)
    return replace(schedule, start=begins + by, items=items)


def _moved(item: Item, schedule: Schedule, by: timedelta) -> Item:
    due = None if item.due is None else schedule.wall(item.due) + by
    return replace(item, released=schedule.wall(item.released) + by, due=due)


def _read(folder: Path) -> tuple[Course | None, Schedule | None, Place]:
    place = Place([])
    if not folder.is_dir():
        place.within(folder.name).note("there is no such folder")
        return None, None, place
    course, schedule = read_material(folder, place), read_schedule(folder, place)
    if course is not None and schedule is not None:
        same = f"is {schedule.weeks}, but course.toml says the course has {course.weeks} weeks"
        place.within("schedule.toml").at("weeks").require(schedule.weeks == course.weeks, same)
    return course, schedule, place
