"""What is taught in a week, and what graded work it has."""

from typing import Annotated, Any

from scribe.tool import Tool
from tools.view import StudentView, find_week, week_bounds


def make(view: StudentView) -> Tool:
    """The tool for this view's course; it is the same for every student."""
    course = view.course

    def map_week_to_topic(week: Annotated[int, week_bounds(course)]) -> dict[str, Any]:
        """Title, topics, number of quizzes and graded work of a week."""
        plan = find_week(course, week)
        graded = {item.title: f"{item.weight:g} percent" for item in course.grading if item.week == week}
        found = {
            "week": week,
            "title": view.glossed(plan.title, plan.title_en),
            "topics": [view.topic(topic) for topic in plan.topics],
            "quizzes": plan.quizzes,
        }
        return found | ({"graded": graded} if graded else {})

    return Tool.of(map_week_to_topic)
