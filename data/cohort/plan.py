"""What a course offers, as a simulated student sees it: times in seconds since Monday 00:00 of week 1, local."""

import math
from dataclasses import dataclass

from data.course import Course
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
    """Week by week what there is to do."""
    start = schedule.monday(1)
    videos: dict[int, list[PlannedItem]] = {week: [] for week in range(1, course.weeks + 1)}
    problems: dict[int, list[PlannedItem]] = {week: [] for week in videos}
    for item in schedule.items:
        due = (schedule.wall(item.due) - start).total_seconds() if item.due else math.inf
        found = videos if item.kind == "video" else problems
        found[item.week].append(PlannedItem(item.id, item.kind, item.week, item.minutes * MINUTE, due))
    return tuple(WeekPlan(week, tuple(videos[week]), tuple(problems[week])) for week in videos)
