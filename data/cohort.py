"""Simulated students: traits, five weeks of behaviour, and the grades these lead to.

A simple stand-in until real click streams are read. Students differ in six traits; a drive that drifts
from week to week makes them study more or less (see study_week); ability and behaviour together, with
chance, make the grades. Everything follows from one seed: the same seed gives the same cohort, and a
student does not change when the cohort grows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from data.course import Course, GradedItem, Week
from data.study_week import Material, StudyWeek, Traits, idle_week, sigmoid, simulate_week

# Videos on the platform in weeks 1 to 10 (the course's own list is not public).
VIDEOS = (4, 5, 6, 8, 9, 6, 5, 6, 6, 2)


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulated student over the whole course.

    `weeks` holds every week of the course and `scores` every item, though only the concluded part is
    ever published: the rest decides `passed`, from which the predictor learns. A score of None was not
    handed in and counts as 0.
    """

    id: str
    traits: Traits
    weeks: tuple[StudyWeek, ...]
    scores: dict[str, float | None]
    passed: bool


def materials(plan: tuple[Week, ...]) -> tuple[Material, ...]:
    """What each week offers: one problem a quiz from the plan, videos from VIDEOS."""
    problems = [week.quizzes for week in plan]
    videos = [VIDEOS[i % len(VIDEOS)] for i in range(len(plan))]
    left = [(sum(videos[after:]), sum(problems[after:])) for after in range(1, len(plan) + 1)]
    offers = zip(videos, problems, left, strict=True)
    return tuple(Material(now, tasks, *later) for now, tasks, later in offers)


def simulate(seed: int, count: int, course: Course) -> tuple[Simulated, ...]:
    """`count` students s001, s002, ... who take the course by its plan and grading scheme."""
    weekly = materials(course.plan)
    return tuple(_student(seed, number, weekly, course) for number in range(1, count + 1))


def _student(seed: int, number: int, weekly: tuple[Material, ...], course: Course) -> Simulated:
    rng = np.random.default_rng([seed, number])
    traits = _traits(rng)
    drives = _drives(rng, traits, len(weekly))
    weeks = tuple(_week(rng, traits, *pair) for pair in zip(drives, weekly, strict=True))
    scores = {item.id: _score(rng, traits, drives, weeks, item) for item in course.grading}
    total = sum(item.weight * (scores[item.id] or 0.0) / item.max_points for item in course.grading)
    return Simulated(f"s{number:03d}", traits, weeks, scores, total >= course.pass_mark)


def _traits(rng: np.random.Generator) -> Traits:
    """Behaviour traits share one diligence factor; quiz skill leans on ability as well."""
    diligence, ability = 0.8 * rng.normal(size=2)
    effort, consistency, regularity, proactivity, skill = 0.6 * diligence + 0.65 * rng.normal(size=5)
    assessment = 0.5 * ability + 0.8 * skill
    return Traits(effort, consistency, regularity, proactivity, assessment, ability)


def _drives(rng: np.random.Generator, traits: Traits, weeks: int) -> tuple[float, ...]:
    """Engagement per week as a z-score: it starts at effort and drifts; inconsistent students fade."""
    fade = -0.04 + 0.07 * traits.consistency + rng.normal(0.0, 0.12)
    swing = max(0.15, 0.4 - 0.1 * traits.consistency)
    noise = rng.normal(0.0, swing, weeks)
    return tuple(float(traits.effort + fade * week + noise[week]) for week in range(weeks))


def _week(rng: np.random.Generator, traits: Traits, drive: float, material: Material) -> StudyWeek:
    stays_away = rng.random() < sigmoid(-4.2 - 1.1 * drive)
    return idle_week(material) if stays_away else simulate_week(rng, traits, drive, material)


def _score(
    rng: np.random.Generator,
    traits: Traits,
    drives: tuple[float, ...],
    weeks: tuple[StudyWeek, ...],
    item: GradedItem,
) -> float | None:
    """Points for one item, to the half point; None when nothing was handed in.

    A quiz is the week's problems, so its grade is read from them; homework and exams are drawn around
    a level set by ability, by habits and by the work done in the item's week (exams: the last four).
    """
    week = min(item.week, len(weeks))  # the final exam follows the last week
    kind = item.id.split("-")[0]
    if kind == "quiz":
        share = weeks[week - 1].quiz_grade
        return None if share is None else _points(share, item)
    recent = slice(week - 1, week) if kind == "homework" else slice(max(0, week - 4), week)
    drive, work = float(np.mean(drives[recent])), float(np.mean([_work(one) for one in weeks[recent]]))
    idle = weeks[week - 1].starts.size == 0
    if kind == "homework" and (idle or rng.random() < sigmoid(-3.6 - 1.3 * drive)):
        return None
    share = 0.72 if kind == "homework" else 0.62
    share += 0.03 * traits.consistency + 0.05 * traits.regularity + 0.06 * traits.proactivity
    share += 0.04 * drive + 0.07 * work + 0.05 * traits.ability + 0.03 * traits.assessment
    return _points(share + rng.normal(0.0, 0.07), item)


def _points(share: float, item: GradedItem) -> float:
    return round(2.0 * min(1.0, max(0.0, share)) * item.max_points) / 2.0


def _work(week: StudyWeek) -> float:
    """Sessions and study time of a week as one z-score, from what a typical student does."""
    hours = float(week.lengths.sum()) / 3600.0
    return 0.5 * (week.starts.size - 4.5) / 2.5 + 0.5 * (math.log1p(hours) - 1.4) / 0.6
