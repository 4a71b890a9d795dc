"""What is taught in a week."""

from typing import Annotated, Any

from data.course import Course
from scribe.tool import Tool
from tools.arguments import week_bounds, week_of
from tools.wording import glossed, listed


def make(course: Course) -> Tool:
    """The tool for this course; it is the same for every student."""

    def map_week_to_topic(week: Annotated[int, week_bounds(course)]) -> dict[str, Any]:
        """Title, topics and number of quizzes of a week, to say what it is about."""
        plan = week_of(course, week)
        quizzes = {0: "no quizzes", 1: "1 quiz"}.get(plan.quizzes, f"{plan.quizzes} quizzes")
        named = [glossed(topic, course.english(topic)) for topic in plan.topics]
        title = glossed(plan.title, plan.title_en)
        topics = f"Its topics are {listed(named)}, and it has {quizzes}."
        return {
            "week": week,
            "title": title,
            "says": f"Week {week} is about {title}. {topics}",
            "start": f"A good start is {named[0]}.",
        }

    return Tool.of(map_week_to_topic)
