"""A whole cohort of simulated students, from one seed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import polars as pl

from data.cohort.grading import TermRecord, compute_learning, passes, score_items
from data.cohort.plan import WeekPlan, plan_weeks
from data.cohort.session import ClickLog
from data.cohort.traits import Traits, draw_habits, draw_moods, draw_traits
from data.cohort.week import SimulatedStudent
from data.course import Course
from data.events.schema import Kind
from data.schedule import Schedule
from scribe.plumbing.progress import OnCount


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
    seed: int,
    names: Sequence[str],
    difficulty: float = 0.4,
    kinds: Collection[Kind] = tuple(Kind),
    marks: bool = True,
    progress: OnCount = lambda done, total: None,
) -> Cohort:
    """Students of these names through every week of a course of which an outline is enough.

    difficulty: share of points that a typical student does not get. kinds, marks: what the platform's log tells.
    The same seed gives the same cohort; nobody changes when it grows, or when the platform records less.
    """
    plan, log = plan_weeks(course, schedule), ClickLog()
    lives = []
    for number in range(len(names)):
        lives.append(_simulate_student(course, plan, Random(f"{seed}/{number + 1}"), number, log, difficulty))
        progress(number + 1, len(names))
    return Cohort(
        events=log.table(names, schedule, kinds, marks),
        traits={name: traits for name, (traits, _) in zip(names, lives, strict=True)},
        scores={name: points for name, (_, points) in zip(names, lives, strict=True)},
        passed={name: passes(course, points) for name, (_, points) in zip(names, lives, strict=True)},
    )


def _simulate_student(
    course: Course, plan: Sequence[WeekPlan], draw: Random, number: int, log: ClickLog, difficulty: float
) -> tuple[Traits, dict[str, float | None]]:
    """One student through all weeks: clicks are written, traits and points returned."""
    traits = draw_traits(draw)
    moods = draw_moods(draw, traits, len(plan))
    student = SimulatedStudent(number, draw, draw_habits(draw), log)
    works = [
        None if mood is None else student.study(mood, offer, after)
        for mood, offer, after in zip(moods, plan, (*plan[1:], None), strict=True)
    ]
    known, active = [compute_learning(work, traits) for work in works], [work is not None for work in works]
    return traits, score_items(draw, course, plan, TermRecord(student.marks, known, active), difficulty)
