"""Tutoring outcome, outcome rate and outcome curve of tutors, with intervals, and what two tutors differ by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.tutoring.metrics.bootstrap import Estimate, Values, estimate
from eval.tutoring.metrics.scores import MEASURES, TutorScores
from eval.tutoring.students.student import LEVELS
from scribe.plumbing.errors import UsageError


@dataclass(frozen=True, slots=True)
class Outcome:
    """One measure over a group of students, in percent. gain: points after less before.

    rate: the tutoring outcome rate, (after − before) / before of the means (equation 7), undefined over nothing.
    """

    before: Estimate
    after: Estimate
    gain: Estimate
    rate: Estimate


@dataclass(frozen=True, slots=True)
class OutcomeDifference:
    """What one tutor reaches more than another on the same tasks, in percent points of outcome and of outcome rate."""

    tutor: str
    other: str
    tasks: int
    outcome: Estimate
    rate: Estimate


Groups = Mapping[str, Outcome]
"""By "overall" or a level."""


def measure_outcomes(scores: TutorScores) -> dict[str, Groups]:
    """For each measure the outcome overall and at each level; overall is the mean over levels, as in Table 1."""
    return {name: {group: _measure(scores, name, group) for group in ("overall", *LEVELS)} for name in MEASURES}


def compare_tutors(one: TutorScores, other: TutorScores, measure: str, group: str = "overall") -> OutcomeDifference:
    """The first less the other over the tasks that both have, paired by task. Raises UsageError if there are none."""
    tasks = [task for task in one.tasks if task in other.tasks]
    if not tasks:
        raise UsageError(f"{one.tutor} and {other.tutor} have no task in common, so nothing can be compared")
    columns = [column for each in (one, other) for column in _columns(each.select(tasks), measure, group)]
    paired = np.stack(columns, axis=1)
    outcome = estimate(lambda means: means[..., 1] - means[..., 3], paired)
    rate = estimate(lambda means: _rate(means[..., 0], means[..., 1]) - _rate(means[..., 2], means[..., 3]), paired)
    return OutcomeDifference(one.tutor, other.tutor, len(tasks), outcome, rate)


def trace_curve(scores: TutorScores, measure: str, group: str = "overall") -> list[Estimate]:
    """The tutoring outcome curve (section 4.3): the measure before, and after each round, in percent."""
    curve = _group(scores.curves[measure], group)
    return [estimate(lambda means: means[..., 0], 100 * curve[:, at : at + 1]) for at in range(curve.shape[1])]


def _measure(scores: TutorScores, measure: str, group: str) -> Outcome:
    pair = np.stack(_columns(scores, measure, group), axis=1)
    ways: Sequence[Callable[[Values], Values]] = (
        lambda means: means[..., 0],
        lambda means: means[..., 1],
        lambda means: means[..., 1] - means[..., 0],
        lambda means: _rate(means[..., 0], means[..., 1]),
    )
    return Outcome(*(estimate(way, pair) for way in ways))


def _columns(scores: TutorScores, measure: str, group: str) -> tuple[Values, Values]:
    """Before and after, in percent, by task."""
    curve = 100 * _group(scores.curves[measure], group)
    return curve[:, 0], curve[:, -1]


def _group(curves: Values, group: str) -> Values:
    """(tasks, rounds + 1) of one level, or the mean over levels."""
    return curves.mean(axis=1) if group == "overall" else curves[:, LEVELS.index(group)]


def _rate(before: Values, after: Values) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(before > 0, 100 * (after - before) / before, np.nan)
