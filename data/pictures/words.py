"""Pictures said in words, for those who cannot see them."""

from collections.abc import Collection

from data.course import Course, Student
from data.pictures.chain import chain_of
from data.pictures.importance import SAID, TITLES, UNKNOWN
from data.pictures.influence import Cell, Row, influence
from data.predictor.quality import Quality


def importance_words(course: Course, student: Student) -> str:
    """What the importance map shows, what weighs most first."""
    shown = influence(course, student)
    if not shown.groups:
        return " ".join(UNKNOWN)
    pairs = [(row, cell) for group in shown.groups for row in group.rows for cell in row.cells if cell.weight]
    pairs.sort(key=lambda pair: -pair[1].weight)
    listed = "; ".join(_weighing(row, cell, SAID[shown.towards_pass, cell.side]) for row, cell in pairs)
    return f"{TITLES[shown.towards_pass]}, what weighs most first: {listed}."


def topics_words(course: Course, week: int | None = None, topic: str | None = None) -> str:
    """What the topic map shows; raises BundleError for a week or a topic that the course does not have."""
    shown = chain_of(course, week, topic)
    if shown is None:
        needs = len({edge.topic for edge in course.prerequisites})
        weeks = "; ".join(f"week {week.number}: {', '.join(week.topics)}" for week in course.plan)
        return f"The topics by week, with arrows to the {needs} that build on earlier ones. {weeks}."
    asked = f"Topic {_in_order(course, shown.asked)}" if topic is not None else f"Week {week}"
    if not shown.direct:
        return f"{asked} builds on no topic of another week that the course names."
    said = f"{asked} builds on {_in_order(course, shown.direct)}."
    return f"{said} Before that come {_in_order(course, shown.further)}." if shown.further else said


def reliability_words(quality: Quality) -> str:
    """What the reliability curve shows, in a sentence for each model."""
    return " ".join(
        f"{name}: where it said {bins[0].predicted:.0%} on average, {bins[0].passed:.0%} passed, and where it said "
        f"{bins[-1].predicted:.0%}, {bins[-1].passed:.0%} did; on average it was off by {scores.calibration_error:.0%}."
        for name, scores in quality.models.items()
        for bins in (scores.reliability,)
    )


def _weighing(row: Row, cell: Cell, what: str) -> str:
    beside = f", class {cell.typical}" if cell.typical is not None else ""
    unit = "" if row.unit_told else f" {row.feature.unit}"
    return f"{row.feature.label} in week {cell.week}, {what} (mine {cell.own}{beside}{unit})"


def _in_order(course: Course, topics: Collection[str]) -> str:
    return ", ".join(f"{topic} (week {course.week_of(topic)})" for topic in course.topics if topic in topics)
