"""A student's week read event by event, slowly and in plain loops, to hold the fast way against."""

import cmath
import math
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from statistics import fmean, pstdev
from typing import NamedTuple

from data.schedule import Schedule, ScheduledItem

RESTING = ("video.pause", "video.stop", "video.load")


class Event(NamedTuple):
    """One row of an event table, in local time of a zone without summer time."""

    time: datetime
    kind: str
    object: str
    value: float | None

    def until(self, other: "Event") -> float:
        return (other.time - self.time).total_seconds()


def plain_week(events: list[Event], schedule: Schedule, week: int) -> dict[str, float | None]:
    """The features of a week with events, of which no two are at the same time; None is missing."""
    events = sorted(events)
    films = [event for event in events if event.kind.startswith("video")]
    checks = [event for event in events if event.kind == "problem.check"]
    return {
        **_clicks(events, films, checks),
        **_sessions(events, max(item.minutes * 60 for item in schedule.items if item.week == week)),
        **_steering(events, films),
        **_plan(films, checks, schedule, week),
        **_attempts(checks),
    }


def _spent(seconds: float) -> float:
    return seconds if 1 <= seconds <= 3600 else 0.0


def _mean(values: list[float]) -> float | None:
    return fmean(values) if values else None


def _deviation(values: list[float]) -> float | None:
    return pstdev(values) if values else None


def _clicks(events: list[Event], films: list[Event], checks: list[Event]) -> dict[str, float | None]:
    weekend = sum(event.time.weekday() >= 5 for event in events)
    by_hour = Counter(event.time.hour for event in events)
    entropy = -sum(n / len(events) * math.log(n / len(events)) for n in by_hour.values())
    active = {(event.time.date(), event.time.hour) for event in events}
    seeks = [event.value or 0 for event in events if event.kind == "video.seek"]
    shares = {kind: sum(event.kind == f"video.{kind}" for event in events) / len(events) for kind in ("load", "play")}
    return {
        "TotalClicks": len(events),
        "TotalClicksWeekend": weekend,
        "TotalClicksWeekday": len(events) - weekend,
        "RatioClicksWeekendDay": (len(events) - weekend) / weekend if weekend else None,
        "TotalClicksVideo": len(films),
        "TotalClicksProblem": len(checks),
        "TotalTimeVideo": sum(_spent(a.until(b)) for a, b in pairwise(events) if a in films),
        "TotalTimeProblem": sum(_spent(a.until(b)) for a, b in pairwise(events) if a in checks),
        "FrequencyEventLoad": shares["load"],
        "FrequencyEventPlay": shares["play"],
        "FrequencyEventSeekBackward": sum(value < 0 for value in seeks) / len(events),
        "FrequencyEventSeekForward": sum(value > 0 for value in seeks) / len(events),
        "RegPeakTimeDayHour": (math.log(24) - entropy) * max(by_hour.values()),
        "RegPeriodicityDayHour": abs(sum(cmath.exp(2j * math.pi * hour / 24) for _, hour in active)),
    }


def _sessions(events: list[Event], longest_gap: float) -> dict[str, float | None]:
    runs = [[events[0]]]
    for a, b in pairwise(events):
        if a.until(b) > longest_gap:
            runs.append([])
        runs[-1].append(b)
    found = [run for run in runs if len(run) >= 3]
    lengths = [run[0].until(run[-1]) for run in found]
    breaks = [a[-1].until(b[0]) for a, b in pairwise(found)]
    return {
        "NumberOfSessions": len(found),
        "TotalTimeSessions": sum(lengths),
        "AvgTimeSessions": _mean(lengths),
        "StdTimeSessions": _deviation(lengths),
        "StdTimeBetweenSessions": _deviation(breaks) if len(breaks) > 1 else None,
    }


def _steering(events: list[Event], films: list[Event]) -> dict[str, float | None]:
    spent = {a: _spent(a.until(b)) for a, b in pairwise(events)}
    states = [(playing, rate, spent.get(event, 0.0)) for event, _, playing, rate, _ in _states(films)]
    played = sum(seconds for playing, _, seconds in states if playing)
    fast = [seconds for _, rate, seconds in states if rate > 1 and seconds]
    jumps = [abs(event.value) for event in films if event.kind == "video.seek" and event.value is not None]
    pauses = [a.until(b) for a, b in pairwise(films) if a.kind == "video.pause" and a.object == b.object]
    heard = [pause for pause in pauses if 1 <= pause <= 3600]
    return {
        "FrequencyEventVideo": len(films) / played if played else None,
        "AvgTimeSpeedingUp": _mean(fast),
        "StdTimeSpeedingUp": _deviation(fast),
        "AvgSeekLength": _mean(jumps),
        "StdSeekLength": _deviation(jumps),
        "AvgPauseDuration": _mean(heard),
        "StdPauseDuration": _deviation(heard),
    }


def _plan(films: list[Event], checks: list[Event], schedule: Schedule, week: int) -> dict[str, float | None]:
    now = {item.id: item for item in schedule.items if item.week == week}
    videos = [item for item in now.values() if item.kind == "video"]
    solved = {check.object for check in checks if check.value == 1 and check.object in now}
    problems = sum(item.kind == "problem" for item in now.values())
    touched = {event.object for event in films}
    days = {event.object: {each.time.date() for each in films if each.object == event.object} for event in films}
    late = {item.id for item in schedule.items if item.week > week and item.kind == "video"}
    delays = [
        (min(event.time for event in films if event.object == item.id) - start).total_seconds()
        for item, start in ((item, max(item.released, schedule.monday(week))) for item in videos)
        if item.id in touched
    ]
    return {
        "ContentAlignment": sum(item.id in touched for item in videos) / len(videos) if videos else None,
        "ContentAnticipation": len(touched & late) / len(late) if late else None,
        "AvgReplayedWeeklyProp": sum(len(days.get(item.id, ())) > 1 for item in videos) / len(videos)
        if videos
        else None,
        "AvgInterruptedWeeklyProp": sum(_is_left(films, item) for item in videos) / len(videos) if videos else None,
        "CompetencyAlignment": len(solved) / problems if problems else None,
        "DelayLecture": _mean(delays),
    }


def _states(films: list[Event]) -> Iterator[tuple[Event, Event | None, bool, float, float]]:
    """Each video event with the next one, whether it plays then, how fast, and where it is by the next."""
    position, playing, rate = 0.0, False, 1.0
    for before, event, after in zip([None, *films], films, [*films[1:], None], strict=False):
        if before is None or before.object != event.object:
            position, playing = 0.0, False
        if event.kind == "video.speed" and event.value:
            rate = event.value
        if event.kind == "video.seek":
            position += event.value or 0.0
        if event.kind in RESTING or event.kind == "video.play":
            playing = event.kind == "video.play"
        position += event.until(after) * rate if playing and after else 0.0
        yield event, after, playing, rate, position


def _is_left(films: list[Event], video: ScheduledItem) -> bool:
    """Whether a visit of this video ends, or rests for an hour, more than a minute before its end."""
    return any(
        event.object == video.id
        and position < video.minutes * 60 - 60
        and (
            (after is not None and after.object != event.object)
            or (event.kind in RESTING and (after is None or event.until(after) > 3600))
        )
        for event, after, _, _, position in _states(films)
    )


def _attempts(checks: list[Event]) -> dict[str, float | None]:
    tries = {check.object: [each for each in checks if each.object == check.object] for check in checks}
    marks = {name: [each.value or 0.0 for each in each_try] for name, each_try in tries.items()}
    gaps = [sum(_spent(a.until(b)) for a, b in pairwise(each)) for each in tries.values()]
    return {
        "CompetencyStrength": _mean([max(each) / len(each) for each in marks.values()]),
        "StudentShape": _mean([float(each[0] == 1) for each in marks.values()]),
        "StudentSpeed": _mean([gap for gap in gaps if gap]),
    }
