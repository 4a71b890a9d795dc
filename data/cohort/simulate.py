"""A whole cohort of simulated students from one seed: what they do, learn from it and get for it."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

import polars as pl

from data.cohort.session import ClickLog
from data.cohort.traits import Traits, WeekPlan, clip, draw_habits, draw_moods, draw_traits, plan_weeks
from data.cohort.week import SimulatedStudent, WeekSummary
from data.course import Course, GradedItem
from data.events.schema import Kind
from data.schedule import Schedule
from scribe.plumbing.progress import OnCount

NOTHING = -2.5  # Of every kind of work, in a week without any
WEIGHTS = (0.04, 0.22, 0.44, 0.4, 0.21)
"""Of effort, consistency, regularity, proactivity and assessment. Effort counts in all others as well."""
ABILITY = 0.45
HOMEWORK_SPREAD, EXAM_SPREAD = 0.12, 0.12  # Luck, as a deviation of the share of points


def compute_learning(work: WeekSummary | None, traits: Traits) -> float:
    """How well a week's matter is understood: about 0 with a deviation near 1, by five kinds of work and ability."""
    kinds = (NOTHING,) * 5 if work is None else _rate_work(work)
    worth = sum(weight * clip(kind, -2.5, 2.5) for weight, kind in zip(WEIGHTS, kinds, strict=True))
    return worth + ABILITY * traits.ability


def _rate_work(work: WeekSummary) -> tuple[float, float, float, float, float]:
    """Effort, consistency, regularity, proactivity and assessment of one week's work."""
    effort = 0.6 * (work.sessions - 4.1) / 2.2 + 0.6 * (math.log1p(work.hours) - 1.02) / 0.36
    consistency = 0.0 if work.watched is None else (work.watched - 0.74) / 0.28
    even = -0.2 if work.uneven is None else (0.96 - work.uneven) / 0.48
    regularity = 0.8 * (work.rhythm - 4.6) / 2.6 + 1.0 * even
    timely = 0.0 if work.late is None else (2.5 - work.late) / 1.6
    proactivity = 0.8 * timely + 0.6 * (math.log1p(work.ahead) - 0.7) / 0.75
    assessment = 0.0 if work.strength is None else (work.strength - 0.73) / 0.24
    return effort, consistency, regularity, proactivity, assessment


@dataclass(frozen=True, slots=True)
class TermRecord:
    """What a student has to show: best share of marks by problem, and what was learnt and whether at all, by week."""

    marks: Mapping[str, float]
    learnt: Sequence[float]
    active: Sequence[bool]


def score_items(
    draw: Random, course: Course, offers: Sequence[WeekPlan], term: TermRecord, difficulty: float
) -> dict[str, float | None]:
    """Points for every graded item, to the half point; None for what was not handed in.

    A quiz (an item called quiz-…, in a week with problems) is the mean of its week's marks, 0 for a problem not
    tried. Homework follows from its week, every other item from all weeks so far; one after the last week counts
    as of the last. `difficulty` is the share of points that a typical student does not get.
    """
    weeks = {item.id: offers[min(item.week, course.weeks) - 1] for item in course.grading}
    return {item.id: _score_item(draw, item, weeks[item.id], term, 1.0 - difficulty) for item in course.grading}


def _score_item(draw: Random, item: GradedItem, offer: WeekPlan, term: TermRecord, typical: float) -> float | None:
    luck, mishap = draw.gauss(0, 1), draw.random()
    kind, week = item.id.split("-")[0], offer.week
    if kind == "quiz" and offer.problems:
        tried = [term.marks[piece.id] for piece in offer.problems if piece.id in term.marks]
        return _round_points(sum(tried) / len(offer.problems), item) if tried else None
    if kind == "homework":
        absent = not term.active[week - 1] or mishap < 0.04
        share = typical + 0.08 + 0.09 * term.learnt[week - 1] + HOMEWORK_SPREAD * luck
    else:
        absent = not any(term.active[max(0, week - 2) : week]) or mishap < 0.005
        share = typical + 0.14 * fmean(term.learnt[:week]) + EXAM_SPREAD * luck
    return None if absent else _round_points(share, item)


def _round_points(share: float, item: GradedItem) -> float:
    return round(2.0 * min(1.0, max(0.0, share)) * item.max_points) / 2.0


def passes(course: Course, scores: Mapping[str, float | None]) -> bool:
    """Whether the weighted points reach the pass mark; what was not handed in counts 0."""
    total = sum(item.weight * (scores[item.id] or 0.0) / item.max_points for item in course.grading)
    return total >= course.pass_mark


@dataclass(frozen=True, slots=True)
class Cohort:
    """Simulated students: events (`data.events.schema`), points by graded item (None: not handed in), who passed."""

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
    """Students of these names through every week, the same for a seed; kinds, marks: what the log tells of them."""
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
