"""The points that follow from what was learnt: quizzes from their marks, all else judged with some luck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

from data.cohort.material import Offer
from data.course import Course, GradedItem

HOMEWORK_SPREAD, EXAM_SPREAD = 0.12, 0.12
"""Luck, as a deviation of the share of points."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a student has to show: best share of marks by problem, and what was learnt and whether at all, by week."""

    marks: Mapping[str, float]
    learnt: Sequence[float]
    active: Sequence[bool]


def scores(
    draw: Random, course: Course, offers: Sequence[Offer], term: Term, difficulty: float
) -> dict[str, float | None]:
    """Points for every graded item, to the half point; None for what was not handed in.

    A quiz (an item called quiz-…, in a week with problems) is the mean of its week's marks, 0 for a problem not
    tried. Homework follows from its week, every other item from all weeks so far; one after the last week counts
    as of the last. `difficulty` is the share of points that a typical student does not get.
    """
    weeks = {item.id: offers[min(item.week, course.weeks) - 1] for item in course.grading}
    return {item.id: _score(draw, item, weeks[item.id], term, 1.0 - difficulty) for item in course.grading}


def _score(draw: Random, item: GradedItem, offer: Offer, term: Term, typical: float) -> float | None:
    luck, mishap = draw.gauss(0, 1), draw.random()
    kind, week = item.id.split("-")[0], offer.week
    if kind == "quiz" and offer.problems:
        tried = [term.marks[piece.id] for piece in offer.problems if piece.id in term.marks]
        return _points(sum(tried) / len(offer.problems), item) if tried else None
    if kind == "homework":
        absent = not term.active[week - 1] or mishap < 0.04
        share = typical + 0.08 + 0.09 * term.learnt[week - 1] + HOMEWORK_SPREAD * luck
    else:
        absent = not any(term.active[max(0, week - 2) : week]) or mishap < 0.005
        share = typical + 0.14 * fmean(term.learnt[:week]) + EXAM_SPREAD * luck
    return None if absent else _points(share, item)


def _points(share: float, item: GradedItem) -> float:
    return round(2.0 * min(1.0, max(0.0, share)) * item.max_points) / 2.0


def passes(course: Course, scores: Mapping[str, float | None]) -> bool:
    """Whether the weighted points reach the pass mark; what was not handed in counts 0."""
    total = sum(item.weight * (scores[item.id] or 0.0) / item.max_points for item in course.grading)
    return total >= course.pass_mark
