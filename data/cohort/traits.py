"""What a simulated student is like, week by week, and what a course offers; seconds since week 1 began, local."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from random import Random
from typing import TypeVar

from data.course import Course
from data.schedule import ItemKind, Schedule

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
WEEK = 7 * DAY
T = TypeVar("T")

SHARED = 0.25
"""Correlation between any two of effort, consistency, regularity and proactivity: all lean on one diligence."""
MOST_SESSIONS = 14
FIRST_HOUR, LAST_HOUR = 7.5, 22.0
HOURS = (8, 9, 10, 13, 14, 16, 17, 18, 19, 20)
LIKED = (1, 2, 2, 1, 2, 2, 3, 3, 4, 4)
# Days far apart come first, so that whoever keeps to the first few has even breaks.
DAYS = ((0, 3, 5, 1, 4, 2, 6), (1, 4, 6, 2, 0, 3, 5), (2, 5, 0, 4, 1, 3, 6), (0, 2, 4, 6, 1, 3, 5))


def sigmoid(x: float) -> float:
    """The logistic function, from the whole line to 0..1."""
    return 1.0 / (1.0 + math.exp(-x))


def draw_poisson(draw: Random, mean: float) -> int:
    """A Poisson number; meant for means up to a few dozen (Knuth, The Art of Computer Programming, 3.4.1)."""
    limit, product, count = math.exp(-mean), draw.random(), 0
    while product > limit:
        product *= draw.random()
        count += 1
    return count


def draw_lognormal(draw: Random, median: float, spread: float, most: float = math.inf) -> float:
    """A log-normal number of this median; `spread` is the deviation of its logarithm, `most` cuts the tail."""
    return min(most, draw.lognormvariate(math.log(median), spread))


def draw_subset(draw: Random, things: Sequence[T], chance: float) -> list[T]:
    """Each thing with the same chance, in order."""
    return [thing for thing in things if draw.random() < chance]


def clip(value: float, low: float, high: float) -> float:
    """The value, or the bound that it passes."""
    return min(high, max(low, value))


@dataclass(frozen=True, slots=True)
class Traits:
    """Six z-scores of a student or of one of their weeks (a mood); `ability` shows in solved problems only."""

    effort: float
    consistency: float
    regularity: float
    proactivity: float
    assessment: float
    ability: float


def draw_traits(draw: Random) -> Traits:
    """One student; see SHARED. Assessment correlates 0.5 with ability and about 0.3 with the others."""
    diligence, ability = draw.gauss(0, 1), draw.gauss(0, 1)
    effort, consistency, regularity, proactivity, care = (
        math.sqrt(SHARED) * diligence + math.sqrt(1 - SHARED) * draw.gauss(0, 1) for _ in range(5)
    )
    assessment = 0.5 * ability + math.sqrt(0.75) * care
    return Traits(effort, consistency, regularity, proactivity, assessment, ability)


def draw_moods(draw: Random, traits: Traits, weeks: int) -> tuple[Traits | None, ...]:
    """Each week's mood; None without activity and after dropping out. Low consistency fades, swings, stays away."""
    fade = -0.03 + 0.06 * traits.consistency + draw.gauss(0, 0.08)
    swing = max(0.2, 0.45 - 0.1 * traits.consistency)
    moods: list[Traits | None] = []
    left = False
    for week in range(weeks):
        effort = traits.effort + fade * week + draw.gauss(0, swing)
        lasting = effort + 0.6 * traits.consistency
        mood = replace(
            traits,
            effort=effort,
            consistency=traits.consistency + draw.gauss(0, 0.7),
            regularity=traits.regularity + draw.gauss(0, 0.7),
            proactivity=traits.proactivity + draw.gauss(0, 0.7),
            assessment=traits.assessment + draw.gauss(0, 0.4),
        )
        left = left or (week > 0 and draw.random() < sigmoid(-5.4 - 1.1 * lasting))
        away = draw.random() < sigmoid(-4.0 - 0.9 * lasting)
        moods.append(None if left or away else mood)
    return tuple(moods)


@dataclass(frozen=True, slots=True)
class Habits:
    """How a student likes to work; none of it makes them better or worse."""

    hour: float  # of the day at which sessions begin
    days: tuple[int, ...]  # 0 is Monday, the dearest first
    speed: float  # playback rate
    pauses: float  # in ten minutes of video, as jumps
    jumps: float
    back: float  # share of jumps backward
    chatty: float  # chance to look into the forum in a session


def draw_habits(draw: Random) -> Habits:
    """One student's habits; six in ten never change the speed."""
    return Habits(
        hour=draw.choices(HOURS, LIKED)[0] + draw.uniform(-0.2, 0.6),
        days=draw.choice(DAYS),
        speed=draw.choices((1.0, 1.25, 1.5, 2.0), (60, 22, 14, 4))[0],
        pauses=draw_lognormal(draw, 1.9, 0.5, 7.0),
        jumps=draw_lognormal(draw, 0.7, 0.7, 5.0),
        back=draw.uniform(0.4, 0.9),
        chatty=draw.betavariate(1.2, 4.0),
    )


def draw_starts(draw: Random, habits: Habits, mood: Traits) -> list[float]:
    """When the sessions of a week begin: 1 to 14 times in order, seconds since its Monday, two a day at most."""
    count = min(MOST_SESSIONS, 1 + draw_poisson(draw, 2.8 * exp(0.36 * mood.effort)))
    usual = sigmoid(0.3 + 2.0 * mood.regularity)
    return sorted(
        day * DAY + _draw_hour(draw, habits, usual, mood) * HOUR for day in _draw_days(draw, habits, mood, count)
    )


def draw_budget(draw: Random, mood: Traits) -> float:
    """Seconds that a student means to stay in one session."""
    median = 46.0 * MINUTE * exp(0.18 * mood.effort + 0.1 * mood.consistency)
    return draw_lognormal(draw, median, 0.38, 150.0 * MINUTE)


def _draw_days(draw: Random, habits: Habits, mood: Traits, count: int) -> list[int]:
    """Regular students keep to their dearest days, others to two bursts far apart; proactive ones start early."""
    steady = max(0.05, 0.5 + 0.6 * mood.regularity)
    loose = max(0.0, 0.8 - 1.4 * mood.regularity)
    early = 0.04 + 0.09 * mood.proactivity
    burst = draw.randint(0, 2)
    weights = [
        exp(-steady * habits.days.index(day) - early * day + loose * (day in (burst, burst + 4))) for day in range(7)
    ] * 2
    chosen = []
    for _ in range(count):
        slot = draw.choices(range(MOST_SESSIONS), weights)[0]
        weights[slot] = 0.0
        weights[(slot + 7) % MOST_SESSIONS] *= 0.25 + 0.35 * min(loose, 2.0)
        chosen.append(slot % 7)
    return chosen


def _draw_hour(draw: Random, habits: Habits, usual: float, mood: Traits) -> float:
    if draw.random() < usual:
        return max(FIRST_HOUR, min(LAST_HOUR, draw.gauss(habits.hour, 0.5 * exp(-0.4 * mood.regularity))))
    return draw.uniform(FIRST_HOUR, LAST_HOUR)


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
