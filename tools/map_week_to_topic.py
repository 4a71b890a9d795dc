"""What is taught in a week."""

from typing import Annotated, Any

from data.course import Course
from scribe.tool import Tool
from tools.arguments import week_bounds, week_of
from tools.phrases import phrases


def make(course: Course) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.language)

    def map_week_to_topic(week: Annotated[int, week_bounds(course)]) -> dict[str, Any]:
        """Title, topics and number of quizzes of a week, to say what it is about."""
        plan = week_of(course, week)
        key = f"topics.quiz_{plan.quizzes}" if plan.quizzes < 2 else "topics.quizzes"
        quizzes = say(key, number=plan.quizzes)
        named = [say.named(topic, course.english(topic)) for topic in plan.topics]
        title = say.named(plan.title, plan.title_en)
        return {
            "week": week,
            "title": title,
            "says": say("topics.says", week=week, title=title, topics=say.listed(named), quizzes=quizzes),
            "start": say("topics.start", topic=named[0]),
        }

    return Tool.of(map_week_to_topic)
