"""What must be known before a week: the earlier topics that its topics build on."""

from typing import Annotated, Any

from data.course import Course, Prerequisite, Week
from scribe.tool import Tool
from tools.view import StudentView, find_week, no_data, week_bounds

MOST = 5


def make(view: StudentView) -> Tool:
    """The tool for this view's course; it is the same for every student."""
    course = view.course

    def get_dependant_topics(week: Annotated[int, week_bounds(course)]) -> dict[str, Any]:
        """Earlier topics, with their weeks, that the topics of a week build on."""
        needs = _find_needs(course, find_week(course, week))
        if not needs:
            return no_data(f"Week {week} builds on no earlier week.")
        return {"week": week, "needs": [_show(view, when, edge) for when, edge in needs[:MOST]]}

    return Tool.of(get_dependant_topics)


def _show(view: StudentView, when: int, edge: Prerequisite) -> dict[str, Any]:
    why = edge.why if view.language == view.course.language else edge.why_en or edge.why
    return {"topic": view.topic(edge.needs), "week": when, "for": view.topic(edge.topic), "because": why}


def _find_needs(course: Course, plan: Week) -> list[tuple[int, Prerequisite]]:
    """The week of each needed topic and why it is needed, earliest first, each topic once."""
    taught = {topic.casefold(): week.number for week in course.plan for topic in week.topics}
    topics = {topic.casefold() for topic in plan.topics}
    found: dict[str, tuple[int, Prerequisite]] = {}
    for edge in course.prerequisites:
        when = taught[edge.needs.casefold()]
        if edge.topic.casefold() in topics and when < plan.number:
            found.setdefault(edge.needs.casefold(), (when, edge))
    return sorted(found.values(), key=lambda need: need[0])
