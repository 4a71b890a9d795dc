"""The student's points so far, piece by piece, and what the rest must bring to pass."""

import math
from typing import Any

from data.course import GradedItem
from data.standing import Standing, standing, whole
from scribe.tool import Tool
from tools.view import StudentView

ENOUGH = 1e-6
"""Percent; differences below are noise of floating point."""


def make(view: StudentView) -> Tool:
    """The tool for this view's student."""

    def grade_calculator() -> dict[str, Any]:
        """Your points so far in percent of the final grade, by graded work, and what is still needed to pass."""
        so_far = standing(view.course, view.student)
        earned, graded = so_far.shown
        found: dict[str, Any] = {
            "earned": f"{earned} percent",
            "graded_so_far": f"{graded} percent",
            "still_open": f"{whole(so_far.open)} percent",
            "pass_mark": f"{whole(so_far.pass_mark)} percent",
        }
        return found | _outlook(so_far, earned) | _rows(so_far)

    return Tool.of(grade_calculator)


def _outlook(so_far: Standing, earned: int) -> dict[str, str]:
    """Whether the pass mark is reached, can be, or cannot be any more."""
    lacking = so_far.pass_mark - so_far.earned
    if lacking <= ENOUGH:
        return {"status": "pass mark reached"}
    best = math.floor(so_far.earned + so_far.open + ENOUGH)
    if lacking > so_far.open + ENOUGH:
        return {"status": "pass mark out of reach", "best_possible": f"{best} percent"}
    # Rounded up: with the number shown the student does pass.
    average = min(100, math.ceil(100.0 * lacking / so_far.open - ENOUGH))
    return {
        "status": "pass still possible",
        "missing": f"{whole(so_far.pass_mark) - earned} percent",
        "average_needed_in_open_work": f"{average} percent",
    }


def _rows(so_far: Standing) -> dict[str, Any]:
    """Each graded piece of work with its points, what was not handed in, and what is still to come."""
    scores = {item.title: f"{_points(grade.score or 0.0)} of {_points(grade.max)}" for item, grade in so_far.rows}
    found: dict[str, Any] = {"points": scores} if scores else {"points": "nothing graded yet"}
    if so_far.missed:
        found["not_handed_in"] = [item.title for item in so_far.missed]
    return found | {"to_come": _to_come(so_far.left)}


def _to_come(left: tuple[GradedItem, ...]) -> dict[str, str]:
    """The open work by kind, as the id says it ("homework" of "homework-3"), with its weight."""
    kinds = dict.fromkeys(item.id.split("-")[0] for item in left)
    weights = {kind: sum(item.weight for item in left if item.id.split("-")[0] == kind) for kind in kinds}
    return {kind: f"{weight:g} percent" for kind, weight in weights.items()}


def _points(value: float) -> str:
    return f"{round(value + 1e-9, 1):g}"
