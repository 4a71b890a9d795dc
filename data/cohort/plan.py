"""What a course offers, as a simulated student sees it: times in seconds since Monday 00:00 of week 1, local."""

from dataclasses import dataclass

from data.course import BundleError, Course
from data.schedule import ItemKind, Schedule

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
WEEK = 7 * DAY


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A video or a problem: how long it takes and until when it counts, in seconds."""

    id: str
    kind: ItemKind
    week: int
    length: float
    due: float


@dataclass(frozen=True, slots=True)
class WeekPlan:
    """One week's videos and problems, in the order of the schedule."""

    week: int
    videos: tuple[PlannedItem, ...]
    problems: tuple[PlannedItem, ...]


def plan_weeks(course: Course, schedule: Schedule) -> tuple[WeekPlan, ...]:
    """Week by week what there is to do; raises BundleError if the schedule is not one of this course."""
    if schedule.weeks != course.weeks:
        raise BundleError(f"schedule.toml has {schedule.weeks} weeks, but course {course.id} has {course.weeks}")
    pieces = _pieces(schedule)
    weeks = range(1, course.weeks + 1)
    videos = [tuple(piece for piece in pieces if piece.week == week and piece.kind == "video") for week in weeks]
    problems = [tuple(piece for piece in pieces if piece.week == week and piece.kind == "problem") for week in weeks]
    return tuple(WeekPlan(*each) for each in zip(weeks, videos, problems, strict=True))


def _pieces(schedule: Schedule) -> list[PlannedItem]:
    start, pieces = schedule.monday(1), []
    for item in schedule.items:
        due = (schedule.wall(item.due) - start).total_seconds() if item.due else float("inf")
        pieces.append(PlannedItem(item.id, item.kind, item.week, item.minutes * MINUTE, due))
    return pieces
