"""A course of three weeks in Zurich, and what Ann did in it, written as on a slip of paper."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl

from data.events.schema import SCHEMA
from data.features.weekly import weekly_features
from data.schedule import Schedule, ScheduledItem

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
START = datetime(2026, 9, 14)


def _video(name: str, week: int, minutes: float, released: datetime) -> ScheduledItem:
    return ScheduledItem(name, "video", week, released, None, minutes)


def _problem(name: str, week: int) -> ScheduledItem:
    return ScheduledItem(name, "problem", week, START + timedelta(weeks=week - 1), None, 5.0)


SCHEDULE = Schedule(
    start=START,
    timezone="Europe/Zurich",
    weeks=3,
    items=(
        _video("v1", 1, 10.0, datetime(2026, 9, 14, 8)),
        _video("v2", 1, 20.0, datetime(2026, 9, 16)),
        _problem("p1", 1),
        _problem("p2", 1),
        _problem("p3", 2),  # week 2 has no video
        _problem("p4", 2),
        _video("v3", 3, 15.0, datetime(2026, 9, 14, 8)),  # known from the start; week 3 has no problem
        _video("v4", 3, 15.0, datetime(2026, 9, 28)),
    ),
)


def events(slip: str, student: str = "ann", schedule: Schedule = SCHEDULE) -> pl.DataFrame:
    """One event a line: [week] day time kind object [value], local time, week 1 unless it says "w2"."""
    rows = [_event(line.split(), student, schedule) for line in slip.splitlines() if line.strip()]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _event(words: list[str], student: str, schedule: Schedule) -> tuple[object, ...]:
    week = int(words.pop(0)[1:]) if words[0].startswith("w") else 1
    day, clock, kind, thing, *value = words
    hour, minute, second = clock.split(":")
    local = schedule.monday(week) + timedelta(days=DAYS.index(day))
    moment = local.replace(hour=int(hour), minute=int(minute)) + timedelta(seconds=float(second))
    told = float(value[0]) if value else None
    return student, moment.replace(tzinfo=ZoneInfo(schedule.timezone)), kind, thing, told


def features(slip: str, week: int = 1, schedule: Schedule = SCHEDULE) -> dict[str, float]:
    """What Ann's week says, by feature; the log is taken to cover the whole course."""
    table = weekly_features(events(slip, "ann", schedule).lazy(), schedule, through=schedule.weeks)
    return dict(table.filter(week=week).select("feature", "value").iter_rows())
