"""The clicks of study sessions: a student at the clock, watching videos and solving problems."""

from collections.abc import Collection, Sequence
from math import exp
from random import Random

import polars as pl

from data.cohort.traits import Habits, PlannedItem, Traits, clip, draw_lognormal, draw_poisson, sigmoid
from data.events.clock import to_utc
from data.events.schema import SCHEMA, Kind
from data.schedule import Schedule

LEFT_OVER = 75.0
"""Seconds that remain at the least when a video is left before its end, unless it is not much longer than that."""
ATTEMPTS = 3
PARTIAL = (0.0, 0.25, 0.5, 0.5, 0.75)


class ClickLog:
    """The clicks so far: number of the student, seconds since Monday 00:00 of week 1 (local), kind, object, value."""

    def __init__(self) -> None:
        self.clicks: list[tuple[int, float, str, str, float | None]] = []

    def table(self, students: Sequence[str], schedule: Schedule, kinds: Collection[Kind], marks: bool) -> pl.DataFrame:
        """The clicks of some kinds as `data.events.schema` says; without `marks` no problem has a mark."""
        rows = pl.DataFrame(self.clicks, dict.fromkeys(SCHEMA) | {"value": pl.Float64}, orient="row")
        rows = rows.filter(pl.col("kind").is_in(list(kinds)))
        wall = pl.lit(schedule.monday(1)) + pl.duration(microseconds=(pl.col("time") * 1e6).round().cast(pl.Int64))
        time = to_utc(rows.select(wall.alias("time"))["time"], schedule.timezone)
        hidden = (pl.col("kind") == Kind.PROBLEM_CHECK) & (not marks)
        table = rows.with_columns(
            time,
            student=pl.col("student").replace_strict(dict(enumerate(students)), return_dtype=pl.String),
            value=pl.when(~hidden).then("value"),
        )
        return table.cast(SCHEMA).sort("student", "time", maintain_order=True)


class StudySession:
    """A session: the time `now` (seconds since week 1 began), and the log it writes to."""

    def __init__(self, student: int, log: ClickLog, draw: Random, habits: Habits, now: float, rate: float) -> None:
        self._student, self._log = student, log
        self.draw, self.habits = draw, habits
        self.now, self.rate = now, rate

    def click(self, kind: Kind, name: str, value: float | None = None) -> None:
        """Do one thing, which takes no time."""
        self._log.clicks.append((self._student, self.now, kind.value, name, value))

    def wait(self, seconds: float) -> None:
        """Let time pass, a second at least: nobody clicks twice at once."""
        self.now += max(1.0, seconds)

    def linger(self, median: float, spread: float = 0.6, most: float = 600.0) -> None:
        """Let a random time pass; seconds."""
        self.wait(draw_lognormal(self.draw, median, spread, most))


def watch(at: StudySession, video: PlannedItem, share: float = 1.0) -> None:
    """Watch a video from its beginning, up to a share of it: pauses, jumps, and the end."""
    at.click(Kind.VIDEO_LOAD, video.id)
    at.linger(3.0, 0.5, 30.0)
    _choose_speed(at, video)
    at.click(Kind.VIDEO_PLAY, video.id)
    end = video.length if share >= 1.0 else max(0.1 * video.length, min(video.length - LEFT_OVER, video.length * share))
    position = 0.0
    often = (at.habits.pauses + at.habits.jumps) * end / 600.0
    for stop in sorted(at.draw.uniform(10.0, max(20.0, end - 10.0)) for _ in range(draw_poisson(at.draw, often))):
        if position + 5.0 < stop < end:
            at.wait((stop - position) / at.rate)
            position = _take_break(at, video, stop, end)
    at.wait((end - position) / at.rate)
    if share < 1.0 or at.draw.random() < 0.8:
        left_by_pause = share < 1.0 and at.draw.random() < 0.6
        at.click(Kind.VIDEO_PAUSE if left_by_pause else Kind.VIDEO_STOP, video.id)
    at.linger(6.0)


def _choose_speed(at: StudySession, video: PlannedItem) -> None:
    """The player keeps a speed until it is changed; now and then somebody tries another one."""
    draw, wanted = at.draw, at.habits.speed
    if draw.random() < 0.04:
        wanted = 1.0 if at.rate > 1.0 else 1.25
    elif draw.random() < 0.2:
        wanted = at.rate
    if wanted != at.rate:
        at.click(Kind.VIDEO_SPEED, video.id, wanted)
        at.linger(3.0, 0.5, 20.0)
        at.rate = wanted


def _take_break(at: StudySession, video: PlannedItem, position: float, end: float) -> float:
    """A pause or a jump at a position within the video; the position from which it goes on."""
    draw, habits = at.draw, at.habits
    if draw.random() < habits.jumps / (habits.pauses + habits.jumps):
        return _jump(at, video, position, end)
    at.click(Kind.VIDEO_PAUSE, video.id)
    at.linger(18.0, 0.9, 240.0)
    if draw.random() < 0.4:
        at.click(Kind.PAGE_VIEW, f"slides-{video.week}")
        at.linger(20.0, 0.8, 200.0)
    if draw.random() < 0.15:  # lost the thread
        position = _jump(at, video, position, end)
        at.wait(1.5)
    at.click(Kind.VIDEO_PLAY, video.id)
    return position


def _jump(at: StudySession, video: PlannedItem, position: float, end: float) -> float:
    draw = at.draw
    length = draw.lognormvariate(3.2, 0.6)
    back = draw.random() < at.habits.back
    there = max(0.0, position - length) if back else max(position, min(end - 2.0, position + length))
    if abs(there - position) < 1.0:
        return position
    at.click(Kind.VIDEO_SEEK, video.id, round(there - position, 1))
    return there


def solve(at: StudySession, problem: PlannedItem, mood: Traits, prepared: float) -> tuple[float, int]:
    """Try a problem, `prepared` by this share of the week's videos; best mark (0 to 1) and number of attempts."""
    chance = sigmoid(0.1 + 0.75 * mood.assessment + 0.2 * mood.ability + 0.7 * (prepared - 0.5))
    keen, care = sigmoid(1.3 + 0.5 * mood.effort), mood.assessment
    thinking = problem.length * 0.3 * (1.0 + 0.1 * clip(care, -2.0, 2.0))
    at.wait(draw_lognormal(at.draw, thinking, 0.4, 0.9 * problem.length))
    best = 0.0
    for attempt in range(1, ATTEMPTS + 1):
        mark = 1.0 if at.draw.random() < chance else at.draw.choice(PARTIAL)
        at.click(Kind.PROBLEM_CHECK, problem.id, mark)
        best = max(best, mark)
        if best == 1.0 or attempt == ATTEMPTS or at.draw.random() > keen:
            break
        at.wait(draw_lognormal(at.draw, 0.15 * problem.length, 0.6, 0.8 * problem.length))
        chance += 0.15 * (1.0 - chance)
    at.linger(30.0 * exp(0.35 * care), 0.5, 240.0)  # reads what was right
    return best, attempt
