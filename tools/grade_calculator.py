"""The student's points so far, and what the rest must bring to pass."""

import math
from collections.abc import Iterable
from typing import Any

from data.course import Course, GradedItem, Student
from data.standing import Standing, standing, whole
from scribe.tool import Tool
from tools.arguments import no_data
from tools.wording import listed, pace, percent, points, shortened

ENOUGH = 1e-6
"""Percent; differences below are noise of floating point."""


def make(course: Course, student: Student) -> Tool:
    """The tool for this student."""

    def grade_calculator() -> dict[str, Any]:
        """Your points so far, the pass mark, and what you still need in order to pass."""
        so_far = standing(course, student)
        if not so_far.graded:
            return no_data(
                "Nothing has been graded for you yet.", f"The pass mark is {percent(course.pass_mark)}."
            )
        told = _totals(course.pass_mark, so_far)
        if "needed" in told:  # not decided yet
            told["verdict"] = " ".join([told["verdict"], *pace(so_far, student)])
        return told | _details(so_far)

    return Tool.of(grade_calculator)


def _totals(pass_mark: float, standing: Standing) -> dict[str, str]:
    lacking = pass_mark - standing.earned
    earned, graded = standing.shown
    shown = f"{earned} of {graded} percent"
    told = {
        "so_far": f"So far you have {shown}, and the pass mark is {percent(pass_mark)}.",
        "verdict": _verdict(pass_mark, standing, lacking),
    }
    if ENOUGH < lacking <= standing.open + ENOUGH:
        # What is missing is taken from the number shown, so that the two add up to the pass mark.
        missing = whole(pass_mark) - earned
        # Rounded up: with the number shown the student does pass.
        average = min(100, math.ceil(100.0 * lacking / standing.open - ENOUGH))
        told["needed"] = (
            f"You still need {percent(missing)}, and {percent(standing.open)} are open: "
            f"that is {percent(average)} of what is left."
        )
    return told


def _verdict(pass_mark: float, standing: Standing, lacking: float) -> str:
    if lacking <= ENOUGH:
        return "You have already passed."
    if lacking <= standing.open + ENOUGH:
        return "You have not passed yet, but you still can."
    best = percent(math.floor(standing.earned + standing.open + ENOUGH))
    return f"You cannot pass any more: full marks on the rest give {best}."


def _details(standing: Standing) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if standing.rows:
        item, grade = min(standing.rows, key=lambda row: (row[1].score or 0.0) / row[1].max)
        if (grade.score or 0.0) < grade.max:
            score = f"{points(grade.score or 0.0)} of {points(grade.max)} points"
            told["weakest"] = f"Your weakest part was {shortened(item.title, 6)} ({score}), so review that first."
    told["parts"] = _parts(standing)
    if standing.missed:
        told["not_handed_in"] = listed([item.id for item in standing.missed[:4]])
    return told


def _parts(standing: Standing) -> list[str]:
    """Per kind of work, in the order of the grading scheme: "quiz: 7 of 10 percent"."""
    earned = {item.id: item.weight * (grade.score or 0.0) / grade.max for item, grade in standing.rows}
    done = [*(item for item, _ in standing.rows), *standing.missed]
    kinds = _kinds([*done, *standing.left])
    of_kind = {kind: [item for item in done if _kind(item) == kind] for kind in kinds}
    return [
        f"{kind}: {whole(sum(earned.get(item.id, 0.0) for item in items))} of "
        f"{percent(sum(item.weight for item in items))}"
        if items
        else f"{kind}: still open"
        for kind, items in of_kind.items()
    ]


def _kinds(items: Iterable[GradedItem]) -> list[str]:
    return list(dict.fromkeys(_kind(item) for item in items))


def _kind(item: GradedItem) -> str:
    """The kind of work, as the id says it: "homework" of "homework-3"."""
    return item.id.split("-")[0]
