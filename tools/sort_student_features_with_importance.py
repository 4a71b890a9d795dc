"""Which of the student's behaviours of one week, or of all, counted for and against passing.

A behaviour counts for (or against) if a contrastive explanation of the student's prediction changes it to flip that
prediction: `influence` is the size of the change in deviations of the cohort. Behind these come behaviours without
measured influence in which the student is well ahead of the class or behind it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from data.catalogue import Feature
from data.course import Importance
from scribe.tool import Tool
from tools.view import MEASURABLE, StudentView, find_week, no_data, week_bounds

SHOWN, WITHOUT_INFLUENCE = 5, 3
CLEARLY = 0.75
"""Share of the class to be ahead of (or behind), for a behaviour without influence to be shown."""


def make(view: StudentView) -> Tool:
    """The tool for this view's student."""
    course = view.course

    def sort_student_features_with_importance(
        week: Annotated[int | None, week_bounds(course)] = None,
    ) -> dict[str, Any]:
        """Your behaviours that counted most for and against passing, in a week or in all, beside the class."""
        if week is not None:
            find_week(course, week)
        weeks = [each for each in range(1, course.weeks_done + 1) if week in (None, each)]
        if not weeks:
            return no_data(f"Week {week} is not over yet.", recorded_weeks=f"1 to {course.weeks_done}")
        rows = [row for each in weeks for row in _find_rows(view, each)]
        if not rows and not {each for _, each in view.student.features} & set(weeks):
            return no_data("There was no activity.", recorded_weeks=f"1 to {course.weeks_done}")
        sides = {
            "counted_for": [_show(view, row, week is None) for row in _best(rows, True)],
            "counted_against": [_show(view, row, week is None) for row in _best(rows, False)],
        }
        head = {"week": week} if week is not None else {"weeks": f"1 to {course.weeks_done}"}
        tail = {} if week is not None else {"total_influence": _sum_by_week(rows, weeks)}
        return head | {"predicted": view.student.predicted} | sides | tail

    return Tool.of(sort_student_features_with_importance)


@dataclass(frozen=True, slots=True)
class _Row:
    """A behaviour in a week. good: it counts for passing. influence: 0 where none was measured.

    apart: the share of the class that the student is ahead of, or behind. change: what would flip the prediction.
    """

    feature: Feature
    week: int
    good: bool
    influence: float
    apart: float
    change: Importance | None = None


def _find_rows(view: StudentView, week: int) -> Iterator[_Row]:
    """Every behaviour of a week that counted or stands out."""
    found = {one.feature: one for one in view.student.in_week(week) if one.importance >= MEASURABLE}
    for feature in view.catalogue:
        change = found.get(feature.name)
        rank = view.classmates.rank(view.student, feature.name, week)
        if change is not None and _is_sensible(view, feature, change):
            good = change.flips_to == "fail"
            yield _Row(feature, week, good, change.importance, rank or 0.0, change)
        elif change is None and rank is not None and feature.good != "depends":
            ahead = rank if feature.good == "more" else 1.0 - rank
            if max(ahead, 1.0 - ahead) >= CLEARLY and view.own(feature, week) != view.median(feature, week):
                yield _Row(feature, week, ahead > 0.5, 0.0, max(ahead, 1.0 - ahead))


def _is_sensible(view: StudentView, feature: Feature, change: Importance) -> bool:
    """Whether the change is one to advise (or to warn of), and the value lies on its side of the class.

    A model may also find "fewer sessions and you pass": that is not what a student should read.
    """
    raises = change.direction == "increase"
    if feature.good == "depends" or raises != ((feature.good == "more") == (change.flips_to == "pass")):
        return False
    own = view.student.features.get((feature.name, change.week))
    usual = view.classmates.median(feature.name, change.week)
    return own is None or usual is None or (own < usual if raises else own > usual)


def _best(rows: list[_Row], good: bool) -> list[_Row]:
    """The rows of one side that counted most, then the few that stand out most without measured influence."""
    side = sorted((row for row in rows if row.good is good), key=lambda row: (-row.influence, -row.apart))
    measured = [row for row in side if row.influence]
    return [*measured, *[row for row in side if not row.influence][:WITHOUT_INFLUENCE]][:SHOWN]


def _show(view: StudentView, row: _Row, dated: bool) -> dict[str, Any]:
    """A row as the model reads it; what is unknown is left out."""
    found: dict[str, Any] = {"behaviour": row.feature.label} | ({"week": row.week} if dated else {})
    found["yours"] = view.own(row.feature, row.week) or "no value"
    if median := view.median(row.feature, row.week):
        found["median"] = median
    if quarter := view.quarter(row.feature, row.week):
        found["quarter"] = quarter
    found["influence"] = round(row.influence, 1)
    if row.change is not None and median and len(view.student.importances) == 1:
        # Only a change that flips the prediction by itself is a promise worth making; it leads to what few others do.
        found[f"alone_{row.change.flips_to}_at"] = row.feature.shown(row.change.target)
    return found


def _sum_by_week(rows: list[_Row], weeks: list[int]) -> dict[str, float]:
    """The sum of influences of each week: the week in which most was decided has the largest."""
    return {str(week): round(sum(row.influence for row in rows if row.week == week), 1) for week in weeks}
