"""A whole cohort of simulated students, from one seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import polars as pl

from data.cohort.clicks import ClickLog
from data.cohort.grading import TermRecord, compute_learning, passes, score_items
from data.cohort.plan import WeekPlan, plan_weeks
from data.cohort.session import draw_style
from data.cohort.traits import Traits, draw_habit, draw_moods, draw_traits
from data.cohort.week import SimulatedStudent
from data.course import BundleError, Course
from data.events.schema import Kind
from data.schedule import Schedule
from scribe.plumbing.progress import OnCount

DIFFICULTY = 0.4
"""Share of points that a typical student does not get."""


@dataclass(frozen=True, slots=True)
class LogScope:
    """What the platform's log tells: which kinds of events, and whether checks of problems bear their marks."""

    kinds: frozenset[Kind]
    marks: bool


@dataclass(frozen=True, slots=True)
class Cohort:
    """Simulated students over the whole course.

    `events` is a table as `data.events.schema` says, by student and time. `scores` has every graded item, None
    for what was not handed in and counts 0; whether the sum of all is enough is `passed`.
    """

    events: pl.DataFrame
    traits: Mapping[str, Traits]
    scores: Mapping[str, Mapping[str, float | None]]
    passed: Mapping[str, bool]


def simulate_cohort(
    course: Course,
    schedule: Schedule,
    recorded: LogScope,
    seed: int,
    count: int,
    progress: OnCount | None = None,
    prefix: str = "s",
    difficulty: float = DIFFICULTY,
) -> Cohort:
    """So many students, called s001, s002, …, through every week of a course of which an outline is enough.

    The same seed gives the same cohort; nobody changes when it grows, or when the platform records less.
    `progress` is told the number of students done and of all. Raises BundleError if the schedule has other
    weeks than the course, and for less than one student.
    """
    if count < 1:
        raise BundleError(f"a cohort needs at least one student, not {count}")
    plan, clicks = plan_weeks(course, schedule), ClickLog()
    names = [f"{prefix}{number:03d}" for number in range(1, count + 1)]
    lives = []
    for number in range(count):
        lives.append(_simulate_student(course, plan, Random(f"{seed}/{number + 1}"), number, clicks, difficulty))
        if progress is not None:
            progress(number + 1, count)
    return Cohort(
        events=clicks.table(names, schedule, recorded.kinds, recorded.marks),
        traits={name: traits for name, (traits, _) in zip(names, lives, strict=True)},
        scores={name: points for name, (_, points) in zip(names, lives, strict=True)},
        passed={name: passes(course, points) for name, (_, points) in zip(names, lives, strict=True)},
    )


def _simulate_student(
    course: Course, plan: Sequence[WeekPlan], draw: Random, number: int, clicks: ClickLog, difficulty: float
) -> tuple[Traits, dict[str, float | None]]:
    """One student through all weeks: clicks are written, traits and points returned."""
    traits = draw_traits(draw)
    moods = draw_moods(draw, traits, len(plan))
    student = SimulatedStudent(number, draw, traits, draw_habit(draw), draw_style(draw), clicks)
    following = (*plan[1:], None)
    works = [
        None if mood is None else student.study(mood, offer, after)
        for mood, offer, after in zip(moods, plan, following, strict=True)
    ]
    known, active = [compute_learning(work, traits) for work in works], [work is not None for work in works]
    return traits, score_items(draw, course, plan, TermRecord(student.marks, known, active), difficulty)
