"""What is taught in a week."""

from typing import Annotated, Any

from data.course import Course
from scribe.tool import Tool
from tools.arguments import week_bounds, week_of
from tools.wording import listed


def make(course: Course) -> Tool:
    """The tool for this course; it is the same for every student."""

    def map_week_to_topic(week: Annotated[int, week_bounds(course)]) -> dict[str, Any]:
        """Title, topics and number of quizzes of a week, to say what it is about."""
        plan = week_of(course, week)
        quizzes = f"{plan.quizzes} quizzes" if plan.quizzes else "no quizzes"
        topics = f"Its topics are {listed(plan.topics)}, and it has {quizzes}."
        return {
            "week": week,
            "title": plan.title,
            "says": f"Week {week} is about {plan.title}. {topics}",
            "start": f"A good start is {plan.topics[0]}.",
        }

    return Tool.of(map_week_to_topic)
