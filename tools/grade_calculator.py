"""The student's points so far, and what the rest must bring to pass."""

import math
from collections.abc import Iterable
from typing import Any

from data.course import Course, Grade, GradedItem, Student
from data.standing import Standing, standing, whole
from scribe.tool import Tool
from tools.arguments import no_data
from tools.details import graded_work
from tools.phrases import Phrases, phrases
from tools.wording import shortened

ENOUGH = 1e-6
"""Percent; differences below are noise of floating point."""


def make(course: Course, student: Student) -> Tool:
    """The tool for this student."""
    say = phrases(course.spoken)

    def grade_calculator(asked: str = "") -> dict[str, Any]:
        """Your points so far, the pass mark, and what you still need in order to pass."""
        so_far = standing(course, student)
        items = graded_work.named(asked, course.grading)
        part = [_part(say, so_far, items)] if items else []  # what was asked about comes first
        if not so_far.graded:
            nothing = " ".join([*part, say("grade.nothing")])
            return no_data(nothing, say("grade.pass_mark", mark=say.percent(course.pass_mark)))
        told = _totals(say, course.pass_mark, so_far)
        if "needed" in told:  # not decided yet
            told["verdict"] = " ".join([told["verdict"], *say.pace(so_far, student)])
        told["so_far"] = " ".join([*part, told["so_far"]])
        return {**told, **_details(say, so_far)}

    return Tool.of(grade_calculator)


def _part(say: Phrases, standing: Standing, items: tuple[GradedItem, ...]) -> str:
    """What this part of the work counts, what the student has in it, and what of it is open."""
    weight = say("grade.asked_weight", weight=say.percent(_weight(items)), part=_called(say, items))
    left = tuple(item for item in items if item in standing.left)
    if left == items:
        return f"{weight} {say('grade.asked_open')}"
    rows = [(item, grade) for item, grade in standing.rows if item in items]
    if len(items) == 1:
        got = say("grade.asked_one", score=_score(say, rows[0][1])) if rows else say("grade.asked_missed")
        return f"{weight} {got}"
    earned = sum(item.weight * (grade.score or 0.0) / grade.max for item, grade in rows)
    graded = say.percent(_weight(items) - _weight(left))
    key = "grade.asked_partly" if left else "grade.asked_closed"
    return f"{weight} {say(key, earned=whole(earned), graded=graded, open=say.percent(_weight(left)))}"


def _called(say: Phrases, items: tuple[GradedItem, ...]) -> str:
    """The part within a sentence: by its title if it is one of several, else by its kind."""
    kind = graded_work.kind(items[0])
    first_word = f"grade.part_{items[0].title.split()[0].lower()}"  # a course has its own word, as "devoir"
    key = first_word if first_word in say.texts else f"grade.part_{kind}"
    single = len(items) == 1 and "-" in items[0].id
    return say.named(shortened(items[0].title, 6)) if single or key not in say.texts else say(key)


def _weight(items: Iterable[GradedItem]) -> float:
    return sum(item.weight for item in items)


def _totals(say: Phrases, pass_mark: float, standing: Standing) -> dict[str, str]:
    lacking = pass_mark - standing.earned
    earned, graded = standing.shown
    told = {
        "so_far": say("grade.so_far", earned=earned, graded=graded, mark=say.percent(pass_mark)),
        "verdict": _verdict(say, standing, lacking),
    }
    if ENOUGH < lacking <= standing.open + ENOUGH:
        # What is missing is taken from the number shown, so that the two add up to the pass mark.
        missing = whole(pass_mark) - earned
        # Rounded up: with the number shown the student does pass.
        average = min(100, math.ceil(100.0 * lacking / standing.open - ENOUGH))
        needed, left = say.percent(missing), say.percent(standing.open)
        told["needed"] = say("grade.needed", missing=needed, open=left, average=say.percent(average))
    return told


def _verdict(say: Phrases, standing: Standing, lacking: float) -> str:
    if lacking <= ENOUGH:
        return say("grade.passed")
    if lacking <= standing.open + ENOUGH:
        return say("grade.possible")
    best = math.floor(standing.earned + standing.open + ENOUGH)
    return say("grade.impossible", best=say.percent(best))


def _details(say: Phrases, standing: Standing) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if standing.rows:
        item, grade = min(standing.rows, key=lambda row: (row[1].score or 0.0) / row[1].max)
        if (grade.score or 0.0) < grade.max:
            told["weakest"] = say("grade.weakest", title=say.named(shortened(item.title, 6)), score=_score(say, grade))
    told["parts"] = _parts(say, standing)
    if standing.missed:
        told["not_handed_in"] = say.listed([item.id for item in standing.missed[:4]])
    return told


def _score(say: Phrases, grade: Grade) -> str:
    score = grade.score or 0.0
    key = "grade.score" if score >= 2 else "grade.score_1"
    return say(key, score=say.points(score), most=say.points(grade.max))


def _parts(say: Phrases, standing: Standing) -> list[str]:
    """Per kind of work, in the order of the grading scheme: "quiz: 7 of 10 percent"."""
    earned = {item.id: item.weight * (grade.score or 0.0) / grade.max for item, grade in standing.rows}
    done = [*(item for item, _ in standing.rows), *standing.missed]
    kinds = graded_work.kinds([*done, *standing.left])
    of_kind = {kind: [item for item in done if graded_work.kind(item) == kind] for kind in kinds}
    return [
        say(
            "grade.part" if items else "grade.part_open",
            kind=say.kind(kind),
            earned=whole(sum(earned.get(item.id, 0.0) for item in items)),
            most=whole(sum(item.weight for item in items)),
        )
        for kind, items in of_kind.items()
    ]
