"""When a student studies: habitual days and hours, kept more or less."""

from dataclasses import dataclass
from math import exp
from random import Random

from data.cohort.chance import around, poisson, sigmoid
from data.cohort.material import DAY, HOUR, MINUTE
from data.cohort.traits import Mood

MOST_SESSIONS = 14
FIRST_HOUR, LAST_HOUR = 7.5, 22.0
HOURS = (8, 9, 10, 13, 14, 16, 17, 18, 19, 20)
LIKED = (1, 2, 2, 1, 2, 2, 3, 3, 4, 4)
# Days far apart come first, so that whoever keeps to the first few has even breaks.
DAYS = ((0, 3, 5, 1, 4, 2, 6), (1, 4, 6, 2, 0, 3, 5), (2, 5, 0, 4, 1, 3, 6), (0, 2, 4, 6, 1, 3, 5))


@dataclass(frozen=True, slots=True)
class Habit:
    """The hour of the day at which a student likes to begin, and the days (0 = Monday), the dearest first."""

    hour: float
    days: tuple[int, ...]


def draw_habit(draw: Random) -> Habit:
    """One student's habit."""
    return Habit(draw.choices(HOURS, LIKED)[0] + draw.uniform(-0.2, 0.6), draw.choice(DAYS))


def starts(draw: Random, habit: Habit, mood: Mood) -> list[float]:
    """When the sessions of a week begin: 1 to 14 times in order, seconds since its Monday, two a day at most."""
    count = min(MOST_SESSIONS, 1 + poisson(draw, 2.8 * exp(0.36 * mood.effort)))
    usual = sigmoid(0.3 + 2.0 * mood.regularity)
    return sorted(day * DAY + _hour(draw, habit, usual, mood) * HOUR for day in _days(draw, habit, mood, count))


def budget(draw: Random, mood: Mood) -> float:
    """Seconds that a student means to stay in one session."""
    median = 46.0 * MINUTE * exp(0.18 * mood.effort + 0.1 * mood.consistency)
    return around(draw, median, 0.38, 150.0 * MINUTE)


def _days(draw: Random, habit: Habit, mood: Mood, count: int) -> list[int]:
    """Regular students keep to their dearest days, others to two bursts far apart; proactive ones start early."""
    steady = max(0.05, 0.5 + 0.6 * mood.regularity)
    loose = max(0.0, 0.8 - 1.4 * mood.regularity)
    early = 0.04 + 0.09 * mood.proactivity
    burst = draw.randint(0, 2)
    weights = [
        exp(-steady * habit.days.index(day) - early * day + loose * (day in (burst, burst + 4))) for day in range(7)
    ] * 2
    chosen = []
    for _ in range(count):
        slot = draw.choices(range(MOST_SESSIONS), weights)[0]
        weights[slot] = 0.0
        weights[(slot + 7) % MOST_SESSIONS] *= 0.25 + 0.35 * min(loose, 2.0)
        chosen.append(slot % 7)
    return chosen


def _hour(draw: Random, habit: Habit, usual: float, mood: Mood) -> float:
    if draw.random() < usual:
        return max(FIRST_HOUR, min(LAST_HOUR, draw.gauss(habit.hour, 0.5 * exp(-0.4 * mood.regularity))))
    return draw.uniform(FIRST_HOUR, LAST_HOUR)
